import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson, type Json } from '../../src/lib/canonical-json.ts'

it('gives equal content one text, whatever order its keys were written in', () => {
  expect(canonicalJson({ b: 1, a: { d: undefined, c: [true, null, 'é'] } })).toBe('{"a":{"c":[true,null,"é"]},"b":1}')
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value as Json)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
      expect(canonicalJson(JSON.parse(text))).toBe(text)
    }),
  )
})
