import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { readSnapshot, storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { recentFetches } from '../../../src/catalog/sources/source-store.ts'
import { collectorFor } from '../../../src/collectors/index.ts'
import { MINUTE, parseInstant, plus } from '../../../src/lib/instant.ts'
import { ingestPrices } from '../../../src/prices/ingest/ingest-prices.ts'
import { listing, listSource, name, sends, start } from './list-source.ts'

const list = listSource()
const { collect, state, prices, requests, system, database } = list
const declared = () => sourceDeclaration.parse({ source: name, format: 'genai-prices' })

describe('collecting a source', () => {
  it('keeps the snapshot with its headers and publishes its prices', async () => {
    list.answer = sends(listing(1), { etag: '"one"', 'set-cookie': 'secret=1' })
    expect(await collect()).toMatchObject({ outcome: 'changed', from: 'url', published: 3, held: 0 })
    expect(await prices()).toEqual({
      'm input_tokens': '0.000001',
      'm output_tokens': '0.000004',
      'n input_tokens': '0.000007',
    })
    const [fetched] = await recentFetches(database.sql, name)
    expect(fetched).toMatchObject({ at: start, outcome: 'changed', httpStatus: 200 })
    const kept = await readSnapshot(database.sql, fetched!.snapshotHash!)
    expect(new TextDecoder().decode(kept)).toBe(listing(1))
    expect(await state()).toMatchObject({ etag: '"one"', lastGoodAt: start, nextDueAt: plus(start, 15 * MINUTE) })
    expect(requests[0]?.headers['user-agent']).toMatch(/^pricetape\//)
  })

  it('keeps where a snapshot was read, without what lets someone in', async () => {
    const url = `${system.base}/${name}.json?api_key=geheim`
    list.collecting = system.declare([{ source: name, format: 'genai-prices', url }])
    list.answer = sends(listing(1))
    await collect()
    expect(requests.map((request) => request.url)).toEqual([`/${name}.json?api_key=geheim`])
    const kept = await database.sql`select address, content_type as type from snapshot`
    expect(kept).toEqual([{ address: `${system.base}/${name}.json?api_key=hidden`, type: 'application/json' }])
  })

  it('asks with the validators of what it has, and a 304 is checked and unchanged', async () => {
    list.answer = sends(listing(1), { etag: '"one"', 'last-modified': 'Sat, 21 Nov 2026 09:00:00 GMT' })
    await collect()
    list.answer = (_, response) => response.writeHead(304).end()
    const later = plus(start, 15 * MINUTE)
    expect(await collect(later)).toMatchObject({ outcome: 'unchanged', from: 'stored' })
    expect(requests[1]?.headers).toMatchObject({
      'if-none-match': '"one"',
      'if-modified-since': 'Sat, 21 Nov 2026 09:00:00 GMT',
    })
    expect(await state()).toMatchObject({ etag: '"one"', lastGoodAt: later, lastChangedAt: start })
    expect(await recentFetches(database.sql, name)).toMatchObject([
      { outcome: 'unchanged', httpStatus: 304 },
      expect.any(Object),
    ])
  })

  it('takes the same bytes again as unchanged, without parsing them', async () => {
    list.answer = sends(listing(1))
    await collect()
    expect(await collect(plus(start, 15 * MINUTE))).toMatchObject({ outcome: 'unchanged' })
    expect((await collect(plus(start, 30 * MINUTE))).published).toBeUndefined()
  })

  it('publishes a changed price with its event', async () => {
    list.answer = sends(listing(1))
    await collect()
    list.answer = sends(listing(1.1))
    expect(await collect(plus(start, 15 * MINUTE))).toMatchObject({ outcome: 'changed', published: 2 })
    const events = await database.sql<{ type: string }[]>`
      select type from event where provider = 'list-acme' and type = 'price.changed'`
    expect(events).toHaveLength(2)
  })

  it('takes for news only what the source says newly, when a newer parser reads it from now on', async () => {
    list.answer = sends(listing(1))
    await collect()
    const { snapshotHash } = (await state())!
    const read = collectorFor('genai-prices')!.parse(Buffer.from(listing(1)), { source: declared(), at: start })
    // As the parser before this one read the same bytes: one price otherwise, one not at all.
    const before = read.observations
      .filter((item) => item.dimension !== 'output_tokens')
      .map((item) => (item.resource === 'm' ? { ...item, price: '0.0000015' } : item))
    const parsed = { ...read, observations: before }
    await ingestPrices(database.sql, { source: declared(), snapshotHash: snapshotHash!, parserVersion: 0, parsed })
    const more = { id: 'other', prices: { input_mtok: 3 } }
    list.answer = sends(listing(1, [more]))
    expect(await collect(plus(start, 15 * MINUTE))).toMatchObject({ outcome: 'changed' })
    expect(await prices()).toMatchObject({ 'm input_tokens': '0.000001', 'other input_tokens': '0.000003' })
    const events = await database.sql<{ type: string }[]>`
      select type from event where provider = 'list-acme' and type <> 'provider.added' order by seq`
    // Of the two first ones, and of the one that is new.
    expect(events.map((item) => item.type)).toEqual(Array(3).fill('resource.added'))
  })

  it('goes on without events where a newer parser spells a step otherwise', async () => {
    const stepped = (base: number) => ({
      id: 'long',
      prices: { input_mtok: { base, tiers: [{ start: 272_000, price: 5 }] } },
    })
    list.answer = sends(listing(1, [stepped(2.5)]))
    // As the parser before this one read the same bytes.
    const bytes = Buffer.from(listing(1, [stepped(2.5)]))
    const read = collectorFor('genai-prices')!.parse(bytes, { source: declared(), at: start })
    const before = read.observations.map((item) =>
      item.pricingTier.context ? { ...item, pricingTier: { context: '>271999' } } : item,
    )
    const snapshotHash = await storeSnapshot(database.sql, { bytes, at: start })
    const parsed = { ...read, observations: before }
    await ingestPrices(database.sql, { source: declared(), snapshotHash, parserVersion: 0, parsed })
    const served = async () => {
      const rows = await database.sql<{ tier: string; price: string }[]>`
        select l.pricing_tier as tier, r.price::text from publication p
        join price_row r using (content_hash) join price_line l on l.line_id = r.line_id
        where l.resource = 'long' and p.unpublished_at is null order by 1`
      return rows.map(({ tier, price }) => [tier, price])
    }
    expect(await served()).toEqual([
      ['{"context":">271999"}', '0.000005'],
      ['{}', '0.0000025'],
    ])
    await collect(plus(start, 15 * MINUTE))
    list.answer = sends(listing(1.1, [stepped(2.5)]))
    await collect(plus(start, 30 * MINUTE))
    expect(await served()).toEqual([
      ['{"context":">272000"}', '0.000005'],
      ['{}', '0.0000025'],
    ])
    const events = await database.sql<{ type: string; resource: string }[]>`
      select type, body::jsonb->>'resource' as resource from event
      where provider = 'list-acme' and type not in ('provider.added', 'resource.added')`
    expect(events.map(({ type, resource }) => [type, resource])).toEqual(Array(2).fill(['price.changed', 'm']))
  })

  it('ends without an event what it serves and a newer release knows to be an error of the list', async () => {
    const both = listing(1)
    list.answer = sends(both, { etag: '"one"' })
    await collect()
    await database.sql`
      update source set parser_version = parser_version - 1, ingested_parser = ingested_parser - 1 where source = ${name}`
    const wrong = { source: name, provider: 'list-acme', resource: 'n', why: 'Acme does not sell it', evidence: 'here' }
    const file = join(system.folder, 'known-errors.json')
    writeFileSync(file, JSON.stringify({ errors: [{ ...wrong, day: '2026-11-23' }] }))
    list.collecting = system.declare([{ source: name, format: 'genai-prices', url: `${system.base}/${name}.json` }])
    list.answer = (_, response) => response.writeHead(304).end()
    const { ignored } = await collect(plus(start, 15 * MINUTE)).finally(() => rmSync(file))
    expect(ignored).toMatchObject([{ reason: 'a known error of the list: Acme does not sell it', count: 1 }])
    expect(Object.keys(await prices()).sort()).toEqual(['m input_tokens', 'm output_tokens'])
    const sent = await database.sql<{ type: string }[]>`
      select type from event where provider = 'list-acme' and type not in ('provider.added', 'resource.added')`
    expect(sent).toEqual([])
  })

  it('lets an announced price begin at its time though the source says nothing new', async () => {
    const announced = {
      id: 'later',
      prices: [{ prices: { input_mtok: 2 } }, { constraint: { start_date: '2026-11-22' }, prices: { input_mtok: 3 } }],
    }
    list.answer = sends(listing(1, [announced]), { etag: '"one"' })
    await collect()
    expect(await prices()).toMatchObject({ 'later input_tokens': '0.000002' })
    expect(await state()).toMatchObject({ nextChangeAt: '2026-11-22T00:00:00.000Z' })
    list.answer = (_, response) => response.writeHead(304).end()
    expect(await collect(parseInstant('2026-11-21T23:50:00Z'))).toMatchObject({ outcome: 'unchanged' })
    expect(await state()).toMatchObject({ nextDueAt: '2026-11-22T00:00:00.000Z' })
    expect(await collect(parseInstant('2026-11-22T00:00:00Z'))).toMatchObject({ outcome: 'changed', published: 1 })
    expect(await prices()).toMatchObject({ 'later input_tokens': '0.000003' })
  })

  it('confirms with every unchanged answer that a price is gone', async () => {
    list.answer = sends(listing(1, [{ id: 'gone', prices: { input_mtok: 2 } }]))
    await collect()
    list.answer = sends(listing(1))
    for (const minutes of [15, 30]) await collect(plus(start, minutes * MINUTE))
    const [line] = await database.sql<{ misses: number }[]>`
      select missing_count as misses from price_line where source = ${name} and resource = 'gone'`
    expect(line?.misses).toBe(2)
    // From the first of these answers on its readers see that its source no longer says so.
    const periods = await database.sql`
      select l.resource, c.said, c.until from row_confirmation c join price_line l using (line_id)`
    expect(periods).toEqual([{ resource: 'gone', said: false, until: null }])
  })
})
