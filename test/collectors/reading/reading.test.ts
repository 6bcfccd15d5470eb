import { describe, expect, it } from 'vitest'
import { isObject, listOf, pointer, textAt, textOf } from '../../../src/collectors/reading/json.ts'
import { providerSlug } from '../../../src/collectors/reading/provider-slugs.ts'
import { quantityOf } from '../../../src/collectors/reading/quantities.ts'
import { isZero } from '../../../src/collectors/reading/quote-rules.ts'
import { textReader } from '../../../src/collectors/reading/streaming.ts'
import { unitOf } from '../../../src/collectors/reading/units.ts'

describe('what a price of a cloud is for', () => {
  it.each([
    ['1', 0, 'count'],
    ['10K', 4, 'count'],
    ['1M', 6, 'count'],
    ['1000', 3, 'count'],
    ['1 Hour', 0, 'hour'],
    ['Hrs', 0, 'hour'],
    ['100 Hours', 2, 'hour'],
    ['/hour', 0, 'hour'],
    ['1/Minute', 0, 'minute'],
    ['seconds', 0, 'second'],
    ['1/Day', 0, 'day'],
    ['10 Days', 1, 'day'],
    ['1/Month', 0, 'month'],
    ['1 Year', 0, 'year'],
    ['1K Tokens', 3, 'token'],
    ['1M tokens', 6, 'token'],
    ['Requests', 0, 'request'],
    ['1 Image', 0, 'image'],
    ['1000 pages', 3, 'page'],
    ['1 GB/Month', 0, 'gb_month'],
    ['1 GB-Months', 0, 'gb_month'],
    [' 10 Slots ', 1, 'slot'],
    ['1 Kilometre', 0, 'kilometre'],
    ['1 (custom) Unit', 0, 'custom_unit'],
    ['1,000 Hours', 3, 'hour'],
    ['10,000', 4, 'count'],
    ['1,000,000 Tokens', 6, 'token'],
    ['1K Hrs', 3, 'hour'],
    ['1 Tier2 Unit', 0, 'tier_unit'],
    ['/GB', 0, 'gb'],
    ['GB/', 0, 'gb'],
  ])('%j is ten to the power of %i of one %s', (text, decimalShift, unit) => {
    expect(quantityOf(text)).toEqual({ decimalShift, unit })
  })

  it.each(['', '  ', '5 Hours', '1 2', '15', '0', '---', '1.5 GB', '0.5 Hours', '1,500 Hours', '1,5 GB', '.5 GB'])(
    '%j is nothing that a price can be divided by',
    (text) => {
      expect(quantityOf(text)).toBeUndefined()
    },
  )
})

describe('the unit of a price', () => {
  it.each([
    ['input_tokens', 'token'],
    ['cache_read_tokens', 'token'],
    ['input_characters', 'character'],
    ['input_images', 'image'],
    ['web_searches', 'search'],
    ['gpu_hours', 'gpu_hour'],
    ['instance_hours', 'instance_hour'],
    ['cache_storage_token_hours', 'token_hour'],
    ['storage_gib_months', 'gib_month'],
    ['memory_gib_hours', 'gib_hour'],
    ['egress_gib', 'gib'],
    ['rerank_queries', 'query'],
    ['usage', 'unit'],
  ] as const)('of %s is per %s', (dimension, unit) => {
    expect(unitOf(dimension, 'EUR')).toBe(`eur_per_${unit}`)
  })

  it('is in credits, whatever they are called', () => {
    expect(unitOf('input_tokens', 'ACME_CREDIT')).toBe('credit_per_token')
    expect(unitOf('input_tokens', 'CREDITS')).toBe('credits_per_token')
    expect(unitOf('input_tokens', 'A_CREDIT_B')).toBe('a_credit_b_per_token')
  })
})

describe('the slug of a provider', () => {
  it.each([
    ['bedrock', 'aws'],
    ['Amazon-Bedrock', 'aws'],
    ['gemini', 'google'],
    ['vertex_ai', 'google-vertex'],
    ['vertex_ai-mistral_models', 'google-vertex'],
    ['google-vertex-anthropic', 'google-vertex'],
    ['together_ai', 'together'],
    ['xai', 'x-ai'],
    [' Acme AI (EU) ', 'acme-ai-eu-'],
    ['a.b_c-d', 'a.b_c-d'],
    ['__acme', 'acme'],
    ['not_vertex_ai-x', 'not_vertex_ai-x'],
  ])('of %j is %s', (name, slug) => {
    expect(providerSlug(name)).toBe(slug)
  })
})

describe('the text of a snapshot', () => {
  const text = 'Preis: 1 € 🎉'
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le')
  const written = [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16, Buffer.from(utf16).swap16()]
  const inParts = (bytes: Buffer, size: number) => {
    const parts: string[] = []
    let ends = 0
    const reader = textReader(
      (part) => parts.push(part),
      () => ends++,
    )
    for (let from = 0; from < bytes.length; from += size) reader.push(bytes.subarray(from, from + size))
    expect(ends).toBe(0)
    reader.end()
    expect(ends).toBe(1)
    expect(parts).not.toContain('')
    return parts.join('')
  }

  /** Bytes that are not text, and a text that ends inside a character. */
  const DAMAGED = [[0xff, 0x61], [0xfe, 0x61], [0x61, 0xfe], [0x61, 0xff], [0x61, 0xe2, 0x82]] // biome-ignore format: one line
  const NO_TEXT = 'The answer has bytes that are not UTF-8'

  it('is UTF-8, or UTF-16 where its mark says so, without the mark', () => {
    expect(written.map(textOf)).toEqual([text, text, text, text])
    expect(textOf(Buffer.from('\ufffd'))).toBe('\ufffd')
    for (const bytes of DAMAGED) expect(() => textOf(Buffer.from(bytes))).toThrow(NO_TEXT)
  })

  it('is the same in parts, also where they end inside a character', () => {
    for (const bytes of written) for (const size of [2, 3, 5, 100]) expect(inParts(bytes, size)).toBe(text)
    expect(inParts(Buffer.alloc(0), 1)).toBe('')
    for (const bytes of DAMAGED) expect(() => inParts(Buffer.from(bytes), 2)).toThrow(NO_TEXT)
  })
})

describe('a value of a list', () => {
  it('is an object only where it is neither null nor a list', () => {
    expect([{}, { a: 1 }].map(isObject)).toEqual([true, true])
    expect([null, [], undefined, 'a', 1, true].map(isObject)).not.toContain(true)
    expect(['0', 0, '0.00', -0].map(isZero)).toEqual([true, true, true, true])
    expect([null, undefined, [], [0], {}, true, false, '', '1', 'x'].map(isZero)).not.toContain(true)
  })

  it('has texts that say something', () => {
    const object = { text: ' a ', empty: '', space: ' \n', number: 1, none: null }
    expect(Object.keys(object).map((key) => textAt(object, key))).toEqual([
      ' a ',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(textAt(object, 'absent')).toBeUndefined()
  })

  it('is found by a JSON Pointer, in which ~ and / are written as RFC 6901 says', () => {
    expect(pointer('a/b~c', 0, '~1', '')).toBe('/a~1b~0c/0/~01/')
    expect(pointer()).toBe('')
  })

  it('is in a list of objects, or a sentence says what is there instead', () => {
    const list = [{ a: 1 }, {}]
    expect(listOf(list, 'The list')).toBe(list)
    expect(() => listOf({}, 'The list')).toThrow('The list is not a list: the format changed.')
    expect(() => listOf([], 'The list')).toThrow('The list is an empty list.')
    expect(() => listOf([7, {}], 'The list')).toThrow('The list holds something that is not an object at position 0.')
    expect(() => listOf([{}, null], 'The list')).toThrow('at position 1.')
  })
})
