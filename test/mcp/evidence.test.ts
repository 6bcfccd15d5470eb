import { expect, it } from 'vitest'
import { Pricetape } from '../../clients/typescript/src/index.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { replacePrice } from '../../src/prices/review/replace-price.ts'
import { recordWitnessPrices } from '../../src/prices/witness/record-witness-prices.ts'
import { day, models, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { listeningApi } from '../support/clients.ts'
import { testDatabase } from '../support/database.ts'
import { connectTools } from '../support/mcp.ts'

const db = testDatabase({ each: true })
const api = listeningApi(db, { limited: false })

async function evidenceOf(contentHash: string) {
  const tools = await connectTools(api)
  const { data, text } = await tools.call<Record<string, unknown>>('price_evidence', { contentHash })
  await tools.close()
  return { data, lines: text.split('\n') }
}
const current = async () =>
  (
    await db.sql<{ hash: string }[]>`
    select current_hash as hash from price_line where resource = 'm' and dimension = 'input_tokens' and source = 'list'`
  )[0]!.hash
/** Reads a list of another source that the price of the first is compared with. */
const witness = async (source: string, price: string) =>
  recordWitnessPrices(db.sql, {
    source: sourceDeclaration.parse({ source, format: 'azure', witness: true }),
    snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from(source), at: day(2) }),
    parserVersion: 1,
    parsed: { providers: [], ignored: [], observations: [observed('m', 'input_tokens', price)] },
    at: day(2),
  })

it('the tool says who shows the same price and who another, and that no address was kept or no place can be shown', async () => {
  await snapshot(db.sql, 'list', [observed('m', 'input_tokens', '0.000002'), ...models(8)], { at: day(1) })
  await witness('same', '0.000002')
  await witness('other', '0.000003')
  const { data, lines } = await evidenceOf(await current())
  expect(lines.slice(0, 2)).toEqual([
    'acme m input_tokens: 0.000002 usd_per_token, from list (community).',
    `Read at an address that was not kept, first ${day(1)}.`,
  ])
  expect(lines[2]).toMatch(/^No place can be shown: [a-z_]+\.$/)
  expect(lines.slice(3).sort()).toEqual([
    `other (community) shows 0.000003 since ${day(2)}.`,
    `same (community) shows the same since ${day(2)}.`,
  ])
  expect(data).not.toHaveProperty('address')
  expect(data).not.toHaveProperty('place')
  expect(data).toMatchObject({ entered: false, firstReadAt: day(1), noPlace: expect.any(String) })
  expect(data.witnesses).toHaveLength(2)
})

it('the tool says that a person entered a price', async () => {
  await snapshot(db.sql, 'list', [observed('m', 'input_tokens', '0.000002'), ...models(8)], { at: day(1) })
  const correction = { contentHash: await current(), price: '0.000006', actor: 'ada', reason: 'a slip', at: day(2) }
  const { contentHash } = await replacePrice(db.sql, correction)
  const { data, lines } = await evidenceOf(contentHash)
  expect(data).toMatchObject({ price: '0.000006', entered: true })
  expect(lines[2]).toBe('A person entered this price; the place is what the source shows.')
})

it('the tool quotes no more than 1,200 characters of a page', async () => {
  const text = JSON.stringify([{ id: 'm', prices: { input: 2, note: 'x'.repeat(1_300) } }])
  await snapshot(db.sql, 'list', [observed('m', 'input_tokens', '0.000002'), ...models(8)], { at: day(1) })
  const bytes = Buffer.from(text)
  const hash = await storeSnapshot(db.sql, { bytes, at: day(1), address: 'https://acme.example/prices.json' })
  const contentHash = await current()
  const place = { snapshot_hash: hash, locator: '/0/prices/input' }
  await db.sql`update price_row set ${db.sql(place)} where content_hash = ${contentHash}`
  const { data, lines } = await evidenceOf(contentHash)
  expect(lines[1]).toBe(`Read at https://acme.example/prices.json, first ${day(1)}.`)
  expect(lines[2]).toBe('The place, quoted:')
  expect(data).toMatchObject({ address: 'https://acme.example/prices.json' })
  const { place: whole } = await new Pricetape({ url: api.url, apiKey: api.key }).evidence(contentHash)
  expect(whole!.text.length).toBeGreaterThan(1_200)
  expect(data.place).toBe(whole!.text.slice(0, 1_200))
  expect(lines.slice(3).join('\n')).toBe(data.place)
})
