import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { deleteUnusedSnapshots } from '../../src/catalog/snapshots/delete-old-snapshots.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { bundledSnapshots } from '../../src/collectors/formats/bundled.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import { boundedPlaces } from '../../src/evidence/bounded-places.ts'
import { findPlace, MAX_LOOKED_THROUGH } from '../../src/evidence/find-place.ts'
import { type Evidence, evidence } from '../../src/evidence/schema.ts'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import { withdrawRow } from '../../src/prices/review/correct-price.ts'
import { replacePrice } from '../../src/prices/review/replace-price.ts'
import { recordWitnessPrices } from '../../src/prices/witness/record-witness-prices.ts'
import { importHistory } from '../../src/roles/import-history.ts'
import { PAGES } from '../collectors/pages/samples.ts'
import { day, model, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'

const PAGE = sourceDeclaration.parse({
  ...{ source: 'anthropic-pricing', format: 'anthropic-page', rank: 'provider', speaksFor: ['anthropic'] },
  url: 'https://anthropic.example/pricing.md',
})
const TEXT = PAGES['anthropic-page']['2026-08']
const GONE = 'f'.repeat(64)
const PATH = '/v1/prices/evidence'

describe('the evidence for a price', () => {
  const db = testDatabase({ each: true })
  const api = testApi(db)
  const of = async (hash: string): Promise<Evidence> => {
    const answer = await api.get(`${PATH}/${hash}`)
    expect(answer.status, answer.text).toBe(200)
    return evidence.parse(answer.json)
  }
  const hashOf = async (resource: string, dimension = 'input_tokens', source = '%') =>
    (
      await db.sql<{ hash: string }[]>`
        select current_hash as hash from price_line
        where resource = ${resource} and dimension = ${dimension} and pricing_tier = '{}' and source like ${source}`
    )[0]!.hash

  /** Takes a page or list in as a collector does. */
  async function read(source: typeof PAGE, text: string, at: Instant) {
    const collector = collectorFor(source.format)!
    const bytes = Buffer.from(text)
    const parsed = collector.parse(bytes, { source, at })
    const snapshotHash = await storeSnapshot(db.sql, { bytes, at, contentType: 'text/markdown', address: source.url })
    const { parserVersion } = collector
    await ingestPrices(db.sql, { source, snapshotHash, parserVersion, parsed, at })
    return snapshotHash
  }

  it('shows the page, the day, and the row of its table with the cell as it was', async () => {
    const hash = await read(PAGE, TEXT, day(1))
    const found = await of(await hashOf('claude-opus-4-8'))
    expect(found).toMatchObject({
      ...{ provider: 'anthropic', source: 'anthropic-pricing', rank: 'provider', price: '0.000005' },
      ...{ status: 'auto_approved', servedFrom: day(1), entered: false, witnesses: [] },
      read: { address: PAGE.url, firstReadAt: day(1), snapshot: hash, contentType: 'text/markdown' },
    })
    const { table } = found.place!
    expect(table!.under.join(' / ')).toBe(found.read.locator!.split(' / ').slice(0, table!.under.length).join(' / '))
    expect(table!.rows[table!.at![0]]![table!.at![1]]).toMatch(/^\$5\b/)
    expect(table!.rows[table!.at![0]]![0]).toMatch(/^Claude Opus 4\.8/)
    expect(found).not.toHaveProperty('servedUntil')
  })

  it('names who else shows the price and who shows another, and which of them may be copies', async () => {
    const canonicalResource = 'acme/m'
    await snapshot(db.sql, 'list', model('m', 0.000002, { canonicalResource }), {
      source: sourceDeclaration.parse({ source: 'list', format: 'genai-prices' }),
      at: day(1),
    })
    const witness = async (source: string, format: string, price: string, rest: object = {}) =>
      recordWitnessPrices(db.sql, {
        source: sourceDeclaration.parse({ source, format, witness: true, ...rest }),
        snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from(source), at: day(2), address: `https://${source}.example` }),
        parserVersion: 1,
        parsed: {
          ...{ providers: [], ignored: [] },
          observations: [
            observed('m', 'input_tokens', price, { proof: { url: 'https://acme.example/prices', validatedOn: '2026-01-02' } }),
          ],
        },
        at: day(2),
      }) // biome-ignore format: one thing after another
    await witness('copy', 'litellm', '0.000002')
    await witness('index', 'ai-price-index', '0.000003', { rank: 'verified' })
    await witness('page', 'anthropic-page', '0.000002', { rank: 'provider', speaksFor: ['acme'] })
    await witness('elsewhere', 'azure', '0.000002', { rank: 'provider', speaksFor: ['azure'] })
    // Ranks come from the declarations.
    await db.sql`update source set rank = 1 where source = 'index'`
    await db.sql`update source set rank = 0, speaks_for = '{acme}' where source = 'page'`
    await db.sql`update source set rank = 0, speaks_for = '{azure}' where source = 'elsewhere'`
    const { witnesses } = await of(await hashOf('m'))
    expect(witnesses.map(({ source, rank, agrees, independent }) => [source, rank, agrees, independent])).toEqual([
      ['page', 'provider', true, true],
      ['copy', 'community', true, false],
      ['elsewhere', 'community', true, true],
      ['index', 'verified', false, true],
    ])
    expect(witnesses[3]).toMatchObject({
      ...{ price: '0.000003', since: day(2), address: 'https://index.example', resource: 'm' },
      statedBy: { url: 'https://acme.example/prices', validatedOn: '2026-01-02' },
    })
  })

  it('of a price that is no longer served tells what others showed while it was', async () => {
    await snapshot(db.sql, 'list', model('m', 0.000002), { at: day(1) })
    const before = await hashOf('m')
    const shows = async (price: string, at: Instant) =>
      recordWitnessPrices(db.sql, {
        source: sourceDeclaration.parse({ source: 'other', format: 'azure', witness: true }),
        snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from(price), at }),
        parserVersion: 1,
        parsed: { providers: [], ignored: [], observations: [observed('m', 'input_tokens', price)] },
        at,
      })
    await shows('0.000002', day(1))
    await withdrawRow(db.sql, { contentHash: before, actor: 'ada', reason: 'wrong', at: day(3) })
    expect(await of(before)).toMatchObject({ servedFrom: day(1), servedUntil: day(3), status: 'withdrawn' })
    expect((await of(before)).witnesses).toHaveLength(1)
    await shows('0.000004', day(4))
    expect((await of(before)).witnesses).toEqual([])
  })

  it('says that a person entered a price, and shows what the source has instead', async () => {
    await read(PAGE, TEXT, day(1))
    const wrong = await hashOf('claude-opus-4-8')
    const correction = { contentHash: wrong, price: '0.000006', actor: 'ada', reason: 'a slip', at: day(2) }
    const { contentHash } = await replacePrice(db.sql, correction)
    const found = await of(contentHash)
    expect(found).toMatchObject({ price: '0.000006', entered: true, status: 'approved' })
    const { table } = found.place!
    expect(table!.rows[table!.at![0]]![table!.at![1]]).toMatch(/^\$5\b/)
    expect(JSON.stringify(found)).not.toContain('ada')
    expect((await of(wrong)).entered).toBe(false)
  })

  it('gives nothing of what was never served', async () => {
    await snapshot(db.sql, 'list', model('m', 0.000002), { at: day(1) })
    await snapshot(db.sql, 'list', model('m', 2), { at: day(2) })
    const [held] = await db.sql<
      { hash: string }[]
    >`select held_hash as hash from price_line where held_hash is not null`
    for (const hash of [held!.hash, GONE, 'x', '../../keys', '%00']) {
      const answer = await api.get(`${PATH}/${encodeURIComponent(hash)}`)
      expect([hash, answer.status, (answer.json as { error: { code: string } }).error.code]).toEqual([
        hash,
        404,
        hash.includes('/') ? expect.stringMatching(/not_found/) : 'price_not_found',
      ])
      expect(answer.text).not.toContain('0.002')
    }
    expect((await api.get(`${PATH}/${GONE}?x=1`)).status).toBe(400)
  })

  it('says why there is no place', async () => {
    await read(PAGE, TEXT, day(1))
    const hash = await hashOf('claude-opus-4-8')
    const noPlace = async () => {
      const { noPlace: why, place } = await of(hash)
      expect(place).toBeUndefined()
      return why
    }
    await db.sql`update price_row set locator = 'Prices / nobody / input' where content_hash = ${hash}`
    expect(await noPlace()).toBe('not_found')
    await db.sql`update snapshot set size = ${MAX_LOOKED_THROUGH + 1}`
    expect(MAX_LOOKED_THROUGH).toBe(33_554_432)
    expect(await noPlace()).toBe('too_large')
    // A version before this one may have deleted it.
    await db.sql`update price_row set snapshot_hash = ${GONE} where content_hash = ${hash}`
    expect(await noPlace()).toBe('snapshot_deleted')
    expect((await of(hash)).read).toEqual({
      firstReadAt: day(1),
      snapshot: GONE,
      address: PAGE.url,
      locator: 'Prices / nobody / input',
    })
    await db.sql`update price_row set snapshot_hash = null where content_hash = ${hash}`
    expect(await noPlace()).toBe('no_snapshot')
  })

  it('quotes hostile pages as text and nothing more', async () => {
    const evil = '<img src=x onerror=alert(1)>"><script>alert(1)</script>\u202e{{7*7}}'
    const list = sourceDeclaration.parse({ source: 'evil', format: 'hand' })
    const bytes = Buffer.from(JSON.stringify({ [evil]: { note: evil, price: 1 } }))
    const snapshotHash = await storeSnapshot(db.sql, {
      bytes,
      at: day(2),
      contentType: 'text/html',
      address: 'javascript:alert(1)',
    })
    const observations = [
      observed('m', 'input_tokens', '0.000002', { locator: `/${evil.replaceAll('/', '~1')}/price` }),
    ]
    await ingestPrices(db.sql, {
      ...{ source: list, snapshotHash, parserVersion: 1, at: day(2) },
      parsed: { providers: [{ provider: 'acme', name: 'acme' }], observations, ignored: [] },
    })
    const answer = await api.get(`${PATH}/${await hashOf('m')}`)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    const { place } = evidence.parse(answer.json)
    expect(place!.text.slice(...place!.mark!)).toBe('"price":1')
    expect(place!.text).toContain(JSON.stringify(evil))
  })

  it('looks snapshots through for a few readers at once, and once for those who ask for the same', async () => {
    await read(PAGE, TEXT, day(1))
    const rows = await db.sql<{ snapshotHash: string; locator: string; price: string }[]>`
      select snapshot_hash as "snapshotHash", locator, price::text as price from price_row limit 6`
    const find = boundedPlaces({ sql: db.sql, isolation })
    const facts = { hash: '', size: 1, contentType: null, address: null, readAt: day(1) }
    const looks = rows.map((row) => find({ ...row, format: PAGE.format }, facts))
    const same = find({ ...rows[0]!, format: PAGE.format }, facts)
    const done = await Promise.allSettled([...looks, same])
    expect(done.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'fulfilled'),
      ...['rejected', 'rejected', 'fulfilled'],
    ])
    expect(done[4]).toMatchObject({ reason: { code: 'unavailable', retryAfter: 2 } })
    expect(await find({ ...rows[0]!, format: PAGE.format }, facts)).toEqual(await same)
  })
})

describe('snapshots that served rows rest on', () => {
  const db = testDatabase({ each: true })
  const placeOf = async (hash: string) => {
    const [row] = await db.sql<{ snapshotHash: string; locator: string; price: string }[]>`
      select snapshot_hash as "snapshotHash", locator, price::text as price from price_row where content_hash = ${hash}`
    const [facts] = await db.sql`
      select hash, size, content_type as "contentType", address, created_at as "readAt" from snapshot
      where hash = ${row!.snapshotHash}`
    return findPlace({ sql: db.sql, isolation }, { ...row!, format: 'hand' }, facts as never)
  }
  /** A year on, with nothing left in the log of checks. */
  const retain = async () => {
    await db.sql`delete from source_fetch`
    return deleteUnusedSnapshots(db.sql, plus(day(1), 400 * DAY), 1_000)
  }
  const list = (price: number, at: Instant, more = {}) =>
    snapshot(db.sql, 'list', model('m', price, { locator: '/0/0', ...more }), { at })
  const hashes = async () =>
    (await db.sql<{ hash: string }[]>`select content_hash as hash from publication order by published_at`).map(
      ({ hash }) => hash,
    )

  it('are kept as long as the rows: of rows confirmed again and again, replaced, withdrawn, corrected, continued and listed again', async () => {
    await list(0.000002, day(1))
    await list(0.000002, day(2))
    await list(0.0000021, day(3))
    await snapshot(db.sql, 'list', [], { at: day(4) })
    await list(0.0000021, day(5))
    const page = sourceDeclaration.parse({ source: 'page', format: 'hand', rank: 'provider', speaksFor: ['acme'] })
    await snapshot(db.sql, 'page', model('m', 0.0000021, { locator: '/0/0' }), { source: page, at: day(6) })
    const [last] = (await hashes()).slice(-1)
    const correction = { contentHash: last!, price: '0.000003', actor: 'ada', reason: 'a slip', at: day(7) }
    await replacePrice(db.sql, correction)
    await snapshot(db.sql, 'unrelated', [], { at: day(8) })
    expect(await retain()).toBeGreaterThan(0)
    const rows = await hashes()
    expect(rows.length).toBeGreaterThan(5)
    for (const hash of rows) expect(await placeOf(hash)).toHaveProperty('place')
  })

  it('are kept of a bundled list and of a curated file, whose sources are read without a network', async () => {
    const source = sourceDeclaration.parse({ source: 'genai-prices', format: 'genai-prices', bundled: true })
    await importHistory(db.sql, [source], { progress: { say: () => {} } })
    expect(await retain()).toBe(0)
    const [counted] = await db.sql`
      select count(*)::int as rows, count(*) filter (where s.hash is not null)::int as kept,
             array_agg(distinct s.address order by s.address) as addresses
      from price_row r left join snapshot s on s.hash = r.snapshot_hash
      join price_line l using (line_id) where l.source = 'genai-prices'`
    expect(counted!.rows).toBeGreaterThan(1_000)
    expect(counted!.kept).toBe(counted!.rows)
    expect(counted!.addresses).toEqual(bundledSnapshots().map(({ address }) => address))
    expect(counted!.addresses[0]).toBe('pkg:npm/%40pydantic/genai-prices@0.0.35')
  })
})
