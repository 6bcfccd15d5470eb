import { describe, expect, it } from 'vitest'
import { bundledSnapshots } from '../../src/collectors/formats/bundled.ts'
import { spansOf } from '../../src/collectors/places/json-span.ts'
import { snapshotPlace } from '../../src/collectors/places/snapshot-place.task.ts'
import { PAGES } from './pages/samples.ts'
import { SELLER_PAGES } from './pages/seller-samples.ts'
import { parseAs } from './support.ts'

const place = (format: string, text: string, locator: string, price?: string) =>
  snapshotPlace({ bytes: Buffer.from(text), format, locator, ...(price && { price }) })
const marked = (found: ReturnType<typeof place>) => found?.text.slice(...(found.mark ?? [0, 0]))

describe('the place of a price in a list', () => {
  it('is a part of the text as it was: numbers and spaces stay as they are written', () => {
    const text = '[ {"id": "m",\n  "prices": { "input": 1.50e-7, "output":0.0000020 } } ]'
    const found = place('other', text, '/0/prices/input')
    expect(found?.text).toBe(text)
    expect(marked(found)).toBe('"input": 1.50e-7')
  })

  it('is the outermost entry that is short enough to read, and what is near where even the nearest is not', () => {
    const models = Array.from({ length: 40 }, (_, n) => ({ id: `m${n}`, about: 'x'.repeat(100), price: { input: n } }))
    const found = place('other', JSON.stringify({ data: models }), '/data/7/price/input')
    expect(found?.text).toBe(`…${JSON.stringify(models[7])}…`.slice(1, -1))
    expect(marked(found)).toBe('"input":7')
    const wide = Object.fromEntries(Array.from({ length: 400 }, (_, n) => [`key${n}`, n]))
    const near = place('other', JSON.stringify([wide]), '/0/key200')
    expect(near?.text.length).toBeLessThan(900)
    expect(near?.text.startsWith('…') && near.text.endsWith('…')).toBe(true)
    expect(marked(near)).toBe('"key200":200')
    const long = place('other', JSON.stringify([{ k: 'y'.repeat(5_000) }]), '/0/k')
    expect(long?.text.length).toBeLessThan(2_400)
  })

  it('is found by keys with slashes, tildes, quotes and escapes, and of a key that is there twice the last one', () => {
    expect(marked(place('other', '{"a/b":{"c~d":1}}', '/a~1b/c~0d'))).toBe('"c~d":1')
    expect(marked(place('other', String.raw`{"a\"b":[{"\u006bey":"}{"}]}`, '/a"b/0/key'))).toBe(
      String.raw`"\u006bey":"}{"`,
    )
    expect(marked(place('other', '{"a":1,"a":2}', '/a'))).toBe('"a":2')
  })

  it('is not there where the list has no such entry, is damaged or is not text', () => {
    for (const [text, locator] of [
      ['{"a":{"b":1}}', '/a/c'],
      ['{"a":{"b":1}}', '/a/b/c'],
      ['[1,2]', '/2'],
      ['{"a":', '/a'],
      ['{"a" 1}', '/a'],
      ['{"a":"x', '/a'],
      ['', '/a'],
      ['{"a":1}', 'somewhere'],
      ['a,b\n1,2', 'line 7'],
    ] as const)
      expect([text, locator, place('other', text, locator)]).toEqual([text, locator, undefined])
    expect(snapshotPlace({ bytes: Uint8Array.of(0xff, 0xfe, 0x00), format: 'other', locator: '/a' })).toBeUndefined()
  })

  it('is a line of a table with its headings and the lines beside it', () => {
    const found = place('skypilot', 'InstanceType,Price\na,1\nb,2\nc,3\nd,4\n', 'line 4, Price')
    expect(found?.text).toBe('InstanceType,Price\nb,2\nc,3\nd,4')
    expect(marked(found)).toBe('c,3')
    expect(place('curated', 'h\r\na,1\r\n', 'line 2')?.text).toBe('h\na,1')
  })

  it('says where an index read a price itself', () => {
    const text = JSON.stringify({
      ...{ provider: 'openai', model: 'gpt-x' },
      variations: { input: [{ price_usd: 1, unit: 'usd_per_mtok', src: 'https://openai.example/pricing', last_validated: '2026-11-01', confidence: 'verified' }] },
    }) // biome-ignore format: one thing after another
    expect(place('ai-price-index', text, '/variations/input/0')?.statedBy).toEqual({
      url: 'https://openai.example/pricing',
      confidence: 'verified',
      validatedOn: '2026-11-01',
    })
  })

  it('walks through a value once however deep it is', () => {
    const depth = 20_000
    expect(spansOf(`${'['.repeat(depth)}1${']'.repeat(depth)}`, ['0'])).toHaveLength(2)
  })
})

describe('every price of a real list', () => {
  it('has a place that shows it as it is written there', () => {
    const { bytes, at } = bundledSnapshots().at(-1)!
    const given = bytes()
    const { observations } = parseAs('genai-prices')(Buffer.from(given).toString(), { at })
    const some = observations.filter((_, n) => n % 97 === 0)
    expect(some.length).toBeGreaterThan(30)
    for (const { locator, resource } of some) {
      const found = snapshotPlace({ bytes: given, format: 'genai-prices', locator })
      expect([locator, resource, found?.mark !== undefined]).toEqual([locator, resource, true])
      expect(Buffer.from(given).toString()).toContain(marked(found))
    }
  })
})

/** A price per token and per million tokens have the same digits. */
const digitsOf = (text: string): string => text.replace(/[.,]/g, '').replace(/0+/g, '')

describe('every price of a recorded page', () => {
  const all = { ...PAGES, ...SELLER_PAGES } as Record<string, Record<string, string>>
  const pages = Object.entries(all).flatMap(([format, dates]) =>
    Object.entries(dates).map(([date, text]): [string, string, string] => [format, date, text]),
  )

  it.each(pages)('%s of %s has a row of its table, with the cell where it stands alone', (format, _, text) => {
    const { observations } = parseAs(format)(text, { at: '2026-10-12T00:00:00Z' })
    // What a note says of a batch stands in no cell.
    const own = observations.filter(({ pricingTier, price }, n) => n % 4 === 0 && !pricingTier.service && price !== '0')
    const missing = own.flatMap(({ locator, price }) => {
      const found = place(format, text, locator, price)
      const cell = found?.table?.at && found.table.rows[found.table.at[0]]?.[found.table.at[1]]
      return digitsOf(cell ?? found?.text ?? '').includes(digitsOf(price)) ? [] : [`${locator}: ${price}`]
    })
    expect(missing).toEqual([])
    expect(place(format, text, 'Nowhere / no-model / input')).toBeUndefined()
  })
})
