import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { collectorFor, SnapshotError } from '../../../src/collectors/index.ts'
import { duplicateKeys } from '../../../src/collectors/reading/duplicate-keys.ts'
import { startObservations } from '../../../src/collectors/reading/observations.ts'
import { parseInstant } from '../../../src/lib/instant.ts'
import { lines, parseAs } from '../support.ts'

const list = [{ id: 'acme', name: 'Acmé', models: [{ id: 'm', prices: { input_mtok: 1 } }] }]

describe('a list in UTF-16', () => {
  const source = sourceDeclaration.parse({ source: 'tested', format: 'genai-prices' })
  const at = parseInstant('2026-11-21T00:00:00Z')!
  const read = (bytes: Uint8Array) => collectorFor('genai-prices')!.parse(bytes, { source, at })

  it('is read in either order of its bytes, as its mark says', () => {
    const little = Buffer.from(`\ufeff${JSON.stringify(list)}`, 'utf16le')
    const big = Buffer.from(little).swap16()
    for (const bytes of [little, big]) {
      expect(read(bytes).providers).toEqual([{ provider: 'acme', name: 'Acmé' }])
      expect(lines(read(bytes))).toEqual(['m input_tokens usd_per_token {} 0.000001'])
    }
  })
})

describe('a JSON key that stands twice', () => {
  it('makes its price unreadable when the values differ, and says both', () => {
    const read = parseAs('litellm')(
      '{"m": {"litellm_provider": "acme", "input_cost_per_token": 1e-6, "input_cost_per_token": 2e-6, "output_cost_per_token": 4e-6}}',
    )
    expect(lines(read)).toEqual(['m output_tokens usd_per_token {} 0.000004'])
    expect(read.ignored).toMatchObject([
      { count: 1, example: expect.stringContaining('two values: 0.000001 and 0.000002') },
    ])
  })

  it('changes nothing when the values are the same', () => {
    const one = '"m": {"litellm_provider": "acme", "input_cost_per_token": 1e-6}'
    expect(lines(parseAs('litellm')(`{${one}, ${one}}`))).toEqual(['m input_tokens usd_per_token {} 0.000001'])
  })

  it('of a model makes unreadable only the prices that differ', () => {
    const model = (input: number, more: string) =>
      `"m": {"litellm_provider": "acme", "input_cost_per_token": ${input}, "output_cost_per_token": 5e-6${more}}`
    const read = parseAs('litellm')(`{${model(1e-6, '')}, ${model(3e-6, ', "cache_read_input_token_cost": 1e-7')}}`)
    expect(lines(read)).toEqual([
      'm output_tokens usd_per_token {} 0.000005',
      'm cache_read_tokens usd_per_token {} 0.0000001',
    ])
  })

  it('is found wherever it is, and however it is written', () => {
    const paths = (text: string) => duplicateKeys(text).map(({ path, values }) => [path.join('/'), ...values])
    expect(paths('{"a":[{"b":1},{"b":{"c": [1, 2] ,"c":"x,}\\" ]"}}]}')).toEqual([['a/1/b/c', '[1, 2]', '"x,}\\" ]"']])
    expect(paths('{"a":1,"\\u0061":2}')).toEqual([['a', '1', '2']])
    expect(paths('{"a":{},"b":[],"c":[[],{}],"d":"a"}')).toEqual([])
    expect(paths('{"__proto__":1,"__proto__":2}')).toEqual([['__proto__', '1', '2']])
  })

  it('refuses a list that has hundreds of them', () => {
    const twice = Array.from({ length: 101 }, (_, i) => `"k${i}":1,"k${i}":2`).join()
    expect(() => parseAs('litellm')(`{${twice}}`)).toThrow(SnapshotError)
  })
})

describe('a table with two columns of one name', () => {
  it('is refused: which one holds is unknown', () => {
    const parse = () =>
      parseAs('skypilot')('InstanceType,Price,Region,Price\na,1,eu,2\n', { options: { provider: 'acme' } })
    expect(parse).toThrow('The table has two columns named Price: which one holds is unknown.')
  })
})

describe('a text that a float printed', () => {
  it.each([
    ['0.00000020000000000000002', '0.0000002'],
    ['2.0000000000000002e-7', '0.0000002'],
    ['0.30000000000000004', '0.3'],
    ['0.0960000000', '0.096'],
    ['0.08333333333333334', '0.08333333333333334'],
    ['0.123456789012345678901', '0.123456789012345678901'],
    ['0.3000000000000000400000001', '0.3000000000000000400000001'],
  ])('%s is %s', (amount, price) => {
    const observed = startObservations()
    observed.price({ provider: 'p', resource: 'r', dimension: 'input_tokens', locator: '/0', amount })
    expect(observed.done().observations[0]?.price).toBe(price)
  })
})
