import { beforeEach, describe, expect, it } from 'vitest'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { boundedPlaces } from '../../src/evidence/bounded-places.ts'
import { findPlace, MAX_LOOKED_THROUGH } from '../../src/evidence/find-place.ts'
import { readEvidence } from '../../src/evidence/read-evidence.ts'
import { readExcerpt } from '../../src/evidence/read-excerpt.ts'
import { addLine, addRow, addSources, at, emptied } from '../prices/stores/line-rows.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'

const db = testDatabase()
const HASH = 'a'.repeat(64)
const LOCATOR = '/variations/input/0'
const STATED = { price_usd: 1, unit: 'usd_per_mtok', src: 'https://acme.example/pricing', last_validated: '2026-11-01', confidence: 'verified' } // biome-ignore format: one interval
const TEXT = JSON.stringify({ provider: 'acme', model: 'a', variations: { input: [STATED] } })
const ADDRESS = 'https://index.example/a.json'
const tools = () => ({ sql: db.sql, isolation })

beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
  await db.sql`update source set format = 'ai-price-index' where source = 'list'`
  await addRow(db.sql, await addLine(db.sql), HASH, 1, { served: [[2]], status: 'auto_approved', price: '0.000001' })
})
/** Keeps the list, as it was read at hour 1. */
const keep = (more: { address?: string; contentType?: string } = {}) =>
  storeSnapshot(db.sql, { bytes: Buffer.from(TEXT), at: at(1), ...more })
const read = (row: { snapshot_hash?: string; locator?: string; effective_from?: string }) =>
  db.sql`update price_row set ${db.sql(row)} where content_hash = ${HASH}`
const evidence = () => readEvidence(db.sql, (wanted, facts) => findPlace(tools(), wanted, facts), HASH)
const SHOWN = {
  ...{ contentHash: HASH, provider: 'acme', source: 'list', resource: 'a', dimension: 'input_tokens' },
  ...{ unit: 'usd_per_token', currency: 'USD', pricingTier: {}, price: '0.000001', recordedAt: at(1) },
  ...{ status: 'auto_approved', servedFrom: at(2), rank: 'community', entered: false, witnesses: [] },
}

describe('the evidence for a price', () => {
  it('says of a row that was recorded without a snapshot when it was recorded, and nothing else', async () => {
    expect(await evidence()).toStrictEqual({ ...SHOWN, read: { firstReadAt: at(1) }, noPlace: 'no_snapshot' })
    // A place without a snapshot is not looked for.
    await read({ locator: LOCATOR })
    expect(await evidence()).toStrictEqual({
      ...{ ...SHOWN, read: { firstReadAt: at(1), locator: LOCATOR }, noPlace: 'no_snapshot' },
    })
    const other = await keep({ address: ADDRESS })
    await db.sql`update source set ingested_hash = ${other} where source = 'list'`
    expect((await evidence()).read).toStrictEqual({ address: ADDRESS, firstReadAt: at(1), locator: LOCATOR })
  })

  it('has everything that is known of where it was read, and until when it was served', async () => {
    const snapshot = await keep({ address: ADDRESS, contentType: 'application/json' })
    await read({ snapshot_hash: snapshot, locator: LOCATOR, effective_from: '2026-01-01' })
    await db.sql`update publication set unpublished_at = ${at(5)}`
    await db.sql`update price_row set recorded_at = ${at(0.5)}`
    const { place, ...rest } = await evidence()
    expect(rest).toStrictEqual({
      ...{ ...SHOWN, recordedAt: at(0.5), servedUntil: at(5), effectiveFrom: '2026-01-01' },
      read: {
        ...{ address: ADDRESS, firstReadAt: at(1), snapshot, size: TEXT.length, contentType: 'application/json' },
        locator: LOCATOR,
        statedBy: { url: STATED.src, confidence: 'verified', validatedOn: '2026-11-01' },
      },
    })
    expect(Object.keys(place!).sort()).toEqual(['mark', 'text'])
    expect(place!.text).toContain('"price_usd":1')
  })

  it('has no type, address or place where the snapshot has none', async () => {
    const snapshot = await keep()
    await read({ snapshot_hash: snapshot })
    expect(await evidence()).toStrictEqual({
      ...{ ...SHOWN, read: { firstReadAt: at(1), snapshot, size: TEXT.length }, noPlace: 'no_snapshot' },
    })
    await db.sql`update snapshot set size = ${MAX_LOOKED_THROUGH}`
    await read({ locator: LOCATOR })
    expect((await evidence()).place?.text).toContain('price_usd')
    await read({ locator: '/variations/output/0' })
    expect((await evidence()).noPlace).toBe('not_found')
    await db.sql`delete from snapshot`
    expect(await evidence()).toStrictEqual({
      ...{
        ...SHOWN,
        read: { firstReadAt: at(1), snapshot, locator: '/variations/output/0' },
        noPlace: 'snapshot_deleted',
      },
    })
  })

  it('has the rank of its source for its provider alone', async () => {
    for (const [speaksFor, rank] of [
      [null, 'provider'],
      [['acme'], 'provider'],
      [['other'], 'community'],
    ] as const) {
      await db.sql`update source set rank = 0, speaks_for = ${speaksFor as string[] | null} where source = 'list'`
      expect([speaksFor, (await evidence()).rank]).toEqual([speaksFor, rank])
    }
  })

  it('is that of a price that was served: other hashes are not looked up', async () => {
    for (const hash of ['b'.repeat(64), 'row', ''])
      await expect(
        readEvidence(db.sql, (wanted, facts) => findPlace(tools(), wanted, facts), hash),
      ).rejects.toMatchObject({
        code: 'price_not_found',
      })
  })
})

describe('what a snapshot says around a price', () => {
  const price = '0.000001'

  it('is shown as text to whoever decides about it, where there is a place', async () => {
    const snapshotHash = await keep()
    const excerpt = (more: { snapshotHash?: string; locator?: string }) =>
      readExcerpt(tools(), { source: 'list', price, ...more })
    expect(await excerpt({ snapshotHash, locator: LOCATOR })).toContain('"price_usd":1')
    expect(await excerpt({ locator: LOCATOR })).toBeUndefined()
    expect(await excerpt({ snapshotHash, locator: '/none' })).toBeUndefined()
  })

  it('that was deleted while it was looked for is not there, and a place that was found is kept', async () => {
    const snapshotHash = await keep()
    const wanted = { snapshotHash, locator: LOCATOR, price, format: 'ai-price-index' }
    const facts = { hash: snapshotHash, size: 1, contentType: null, address: null, readAt: at(1) }
    const find = boundedPlaces(tools())
    const found = await find(wanted, facts as never)
    await db.sql`delete from snapshot`
    expect(await findPlace(tools(), wanted, facts as never)).toEqual({ noPlace: 'snapshot_deleted' })
    expect(await find(wanted, facts as never)).toEqual(found)
    expect(found).toHaveProperty('place')
  })
})
