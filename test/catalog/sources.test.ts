import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { type SourceDeclaration, sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import {
  lockUndeclared,
  noteDeclared,
  recordEnded,
  resourcesOfSource,
  servedUndeclared,
  undeclaredSources,
} from '../../src/catalog/sources/ended-source-store.ts'
import { listOutcomes, listSources } from '../../src/catalog/sources/list-sources.ts'
import { sourceFacts } from '../../src/catalog/sources/source-facts-store.ts'
import {
  claimPriceVersion,
  declarePriceSource,
  raisePriceVersion,
  readAgain,
  recordIngested,
} from '../../src/catalog/sources/source-ingest-store.ts'
import {
  claimSource,
  declareSources,
  dueSources,
  type FetchRecord,
  failingSources,
  recordOutcome,
  recordReading,
  releaseSource,
  renewClaim,
  sourceState,
  sourceStates,
} from '../../src/catalog/sources/source-store.ts'
import { HOUR, type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const NEVER = '0001-01-01T00:00:00.000Z'
const db = testDatabase()
beforeEach(() =>
  db.sql`
    delete from document; delete from resource; delete from source_provider; delete from source_fetch;
    delete from source; delete from provider; delete from snapshot`.simple(),
)

const prices = (source: string, more: Partial<SourceDeclaration> = {}) => ({
  ...sourceDeclaration.parse({ source, format: 'curated', ...more }),
  kind: 'prices' as const,
})
const claim = async (source: string, now = AT) =>
  (await claimSource(db.sql, { source, id: randomUUID(), now, until: plus(now, 2 * MINUTE) }))!
const record = (source: string, claimId: string, more: Partial<FetchRecord> = {}) =>
  db.sql.begin((tx) =>
    recordOutcome(tx, {
      ...{ source, claimId, at: AT, outcome: 'changed', confirmed: true, nextDueAt: plus(AT, HOUR), durationMs: 10.4 },
      ...more,
    } as FetchRecord),
  )
/** Reads a source once. */
const read = async (source: string, more: Partial<FetchRecord> = {}) => record(source, (await claim(source)).id, more)
const state = async (source: string) => (await sourceState(db.sql, source))!
const column = async <T>(source: string, name: string): Promise<T> => {
  const [row] = await db.sql`select ${db.sql(name)} as value from source where source = ${source}`
  return row!.value as T
}
const keep = (text: string, address?: string) => storeSnapshot(db.sql, { bytes: Buffer.from(text), at: AT, address })

describe('a declaration', () => {
  it('that changed is read again as if nothing was known; one that did not change is left alone', async () => {
    const hash = await keep('list')
    await declareSources(db.sql, [prices('a'), prices('b'), prices('c'), prices('d')])
    for (const source of ['a', 'b', 'c', 'd']) await read(source, { snapshotHash: hash, parserVersion: 3 })
    await declareSources(db.sql, [
      prices('a'),
      prices('b', { intervalSeconds: 900 }),
      prices('c', { format: 'litellm' }),
      prices('d', { primary: false }),
    ])
    const known = async (source: string) => {
      const { nextDueAt, snapshotHash, format, intervalSeconds } = await state(source)
      return [format, intervalSeconds, nextDueAt === NEVER ? 'now' : 'later', snapshotHash === hash]
    }
    expect(await known('a')).toEqual(['curated', 3600, 'later', true])
    expect(await known('b')).toEqual(['curated', 900, 'now', true])
    expect(await known('c')).toEqual(['litellm', 3600, 'now', false])
    expect(await known('d')).toEqual(['curated', 3600, 'now', true])
    expect(await column('d', 'primary_source')).toBe(false)
  })

  it('of a kind, or as a witness, takes effect', async () => {
    await declareSources(db.sql, [prices('a'), prices('b')])
    await declareSources(db.sql, [{ ...prices('a'), kind: 'terms' }, prices('b', { witness: true })])
    expect(await sourceStates(db.sql)).toMatchObject([
      { source: 'a', kind: 'terms', witness: false },
      { source: 'b', kind: 'prices', witness: true },
    ])
  })

  it('of a witness that is served from now on begins like one of which nothing was read', async () => {
    await declareSources(db.sql, [prices('a', { witness: true }), prices('b')])
    const hash = await keep('list')
    for (const source of ['a', 'b']) {
      await read(source, { snapshotHash: hash })
      await db.sql.begin((tx) => recordIngested(tx, { source, snapshotHash: hash, parserVersion: 3, lines: 7 }, AT))
    }
    const ingested = (source: string) => db.sql`
      select ingested_hash as hash, ingested_parser as parser, ingested_at as at, ingested_lines as lines
      from source where source = ${source}`
    const all = [{ hash, parser: 3, at: AT, lines: 7 }]
    expect(await ingested('a')).toEqual(all)
    await declareSources(db.sql, [prices('a'), prices('b', { intervalSeconds: 900 })])
    expect(await ingested('a')).toEqual([{ hash: null, parser: null, at: null, lines: null }])
    expect((await state('a')).snapshotHash).toBeUndefined()
    expect(await ingested('b')).toEqual(all)
  })

  it('starts quietly where others are served already: a new source, and a witness that is served from now on', async () => {
    const quiet = async () => Promise.all(['a', 'b', 'c'].map((source) => column(source, 'starts_quietly')))
    await declareSources(db.sql, [prices('a'), prices('b', { witness: true })])
    await db.sql`insert into provider (provider, name, created_at) values ('pending', 'Pending', ${AT})`
    await declareSources(db.sql, [prices('a'), prices('b', { witness: true }), prices('c')])
    expect(await quiet()).toEqual([false, false, false])
    await db.sql`update provider set activated_at = ${AT}`
    await db.sql`delete from source where source = 'c'`
    await declareSources(db.sql, [prices('a', { intervalSeconds: 900 }), prices('b'), prices('c')])
    expect(await quiet()).toEqual([false, true, true])
    await declareSources(db.sql, [prices('a'), prices('b'), prices('c', { intervalSeconds: 900 })])
    expect(await quiet()).toEqual([false, true, true])
  })

  it('that is gone is remembered, and due again once it is back', async () => {
    await declareSources(db.sql, [prices('a'), prices('b')])
    for (const source of ['a', 'b']) await read(source)
    await declareSources(db.sql, [prices('b')])
    expect((await sourceStates(db.sql)).map(({ source, declared }) => [source, declared])).toEqual([
      ['b', true],
      ['a', false],
    ])
    await declareSources(db.sql, [prices('a'), prices('b')])
    expect(await dueSources(db.sql, AT)).toEqual(['a'])
  })

  it('says who decides: by rank, then those that are primary, in the order of the file', async () => {
    const place = () => db.sql`
      select source, position, rank, speaks_for as speaks, stale_after_seconds as stale, complete, read_again as again
      from source where declared order by position`
    const own = { rank: 'provider' as const, speaksFor: ['acme'], staleAfterSeconds: 3600, complete: true }
    await declareSources(db.sql, [prices('late', { primary: false }), prices('first'), prices('own', own)])
    const rest = { rank: 2, speaks: null, stale: 604_800, complete: false, again: false }
    expect(await place()).toEqual([
      { ...rest, source: 'first', position: 0 },
      { source: 'own', position: 1, rank: 0, speaks: ['acme'], stale: 3600, complete: true, again: false },
      { ...rest, source: 'late', position: 2 },
    ])
    // Those that were read are read again where their place changed, so that the right one is served.
    const hash = await keep('list')
    for (const source of ['late', 'first'])
      await db.sql.begin((tx) => recordIngested(tx, { source, snapshotHash: hash, parserVersion: 1, lines: 1 }, AT))
    await declareSources(db.sql, [
      prices('late', { primary: false }),
      prices('first', { rank: 'verified' }),
      prices('own', { ...own, complete: false }),
    ])
    expect(await place()).toMatchObject([
      { source: 'first', rank: 1, again: true },
      { source: 'own', complete: false, again: false },
      { source: 'late', again: false },
    ])
    await declareSources(db.sql, [
      prices('late', { primary: false, staleAfterSeconds: 7200 }),
      prices('own', { rank: 'provider', speaksFor: ['acme', 'other'], staleAfterSeconds: 3600 }),
    ])
    expect(await place()).toMatchObject([
      { source: 'own', position: 0, speaks: ['acme', 'other'] },
      { source: 'late', position: 1, stale: 7200, again: true },
    ])
  })
})

describe('sources that are due', () => {
  it('are in the order of their time, and of their names where that is the same', async () => {
    await declareSources(db.sql, [prices('c'), prices('a'), prices('b'), prices('later')])
    await read('a', { nextDueAt: plus(AT, 2 * MINUTE) })
    await read('later', { nextDueAt: plus(AT, 3 * MINUTE) })
    expect(await dueSources(db.sql, plus(AT, 2 * MINUTE))).toEqual(['b', 'c', 'a'])
    expect(await dueSources(db.sql, plus(AT, 2 * MINUTE - 1))).toEqual(['b', 'c'])
  })
})

describe('a claim', () => {
  it('is prolonged and given back by the worker that has it, of that source alone', async () => {
    await declareSources(db.sql, [prices('a'), prices('b')])
    const [a, b] = [await claim('a'), await claim('b')]
    const later = plus(AT, 9 * MINUTE)
    expect(await renewClaim(db.sql, 'a', b.id, later)).toBe(false)
    expect(await renewClaim(db.sql, 'a', a.id, later)).toBe(true)
    expect([(await state('a')).collectingUntil, (await state('b')).collectingUntil]).toEqual([
      later,
      plus(AT, 2 * MINUTE),
    ])
    await releaseSource(db.sql, 'a', b.id)
    expect((await state('a')).collectingUntil).toBe(later)
    await releaseSource(db.sql, 'a', a.id)
    expect([(await state('a')).collectingUntil, (await state('b')).collectingUntil]).toEqual([
      undefined,
      plus(AT, 2 * MINUTE),
    ])
    expect(await renewClaim(db.sql, 'a', a.id, later)).toBe(false)
  })

  it('that lapsed is handed on with what its process was reading; one that was given back leaves nothing', async () => {
    await declareSources(db.sql, [prices('a'), prices('b')])
    const hash = await keep('deadly')
    const first = await claim('a')
    expect(first).toMatchObject({ state: { interruptions: 0 }, interrupted: undefined })
    await recordReading(db.sql, 'a', randomUUID(), await keep('of another'))
    await recordReading(db.sql, 'a', first.id, hash)
    const second = await claim('a', plus(AT, 2 * MINUTE))
    expect(second).toMatchObject({ state: { interruptions: 1 }, interrupted: { since: AT, snapshotHash: hash } })
    await releaseSource(db.sql, 'a', second.id)
    expect((await claim('a', plus(AT, 4 * MINUTE))).interrupted).toBeUndefined()
    expect(await column('b', 'reading_hash')).toBeNull()
  })
})

describe('an outcome', () => {
  it('is kept in the log and in the state of its source alone, with all that is known', async () => {
    await declareSources(db.sql, [prices('a'), prices('b')])
    const [hash, before] = [await keep('list'), await state('b')]
    await read('a', {
      ...{ snapshotHash: hash, parserVersion: 4, nextChangeAt: plus(AT, 2 * HOUR), httpStatus: 200 },
      ...{ headers: { etag: '"1"' }, etag: '"1"', lastModified: 'then', fetchedUrl: 'https://acme.example/list' },
      report: { published: 2 },
    })
    expect(await listOutcomes(db.sql, 'a')).toEqual([
      { at: AT, outcome: 'changed', snapshotHash: hash, httpStatus: 200, reason: null, report: { published: 2 } },
    ])
    expect(await db.sql`select headers from source_fetch`).toEqual([{ headers: { etag: '"1"' } }])
    expect(await state('a')).toMatchObject({
      ...{ nextDueAt: plus(AT, HOUR), lastCheckedAt: AT, lastGoodAt: AT, lastChangedAt: AT, snapshotHash: hash },
      ...{ parserVersion: 4, nextChangeAt: plus(AT, 2 * HOUR), etag: '"1"', lastModified: 'then' },
      ...{ fetchedUrl: 'https://acme.example/list', failures: 0, lastDurationMs: 10, interruptions: 0 },
    })
    expect(await state('b')).toEqual(before)
  })

  it('that is bad keeps what was read before, and counts until one is good', async () => {
    await declareSources(db.sql, [prices('a')])
    const hash = await keep('list')
    await read('a', { snapshotHash: hash, etag: '"1"' })
    const bad = { outcome: 'failed', problem: 'it answered 500.', confirmed: false } as const
    await read('a', { ...bad, at: plus(AT, HOUR) })
    await read('a', { ...bad, outcome: 'quarantined', at: plus(AT, 2 * HOUR) })
    expect(await state('a')).toMatchObject({
      ...{ failures: 2, problem: 'it answered 500.', lastCheckedAt: plus(AT, 2 * HOUR) },
      ...{ lastGoodAt: AT, lastChangedAt: AT, snapshotHash: hash, etag: '"1"' },
    })
    expect(await column('a', 'failing_since')).toBe(plus(AT, HOUR))
    // Read well with something to say about it, it is not fixed yet.
    await read('a', { outcome: 'unchanged', problem: 'half of it', at: plus(AT, 3 * HOUR), snapshotHash: hash })
    expect(await state('a')).toMatchObject({ failures: 3, lastGoodAt: plus(AT, 3 * HOUR), lastChangedAt: AT })
    expect(await column('a', 'failing_since')).toBe(plus(AT, HOUR))
    await read('a', { outcome: 'unchanged', at: plus(AT, 4 * HOUR), snapshotHash: hash, confirmed: false })
    expect(await state('a')).toMatchObject({ failures: 0, lastGoodAt: plus(AT, 3 * HOUR) })
    expect((await state('a')).problem).toBeUndefined()
    expect(await column('a', 'failing_since')).toBeNull()
  })

  it('of a process after one that died forgets its death, unless that kept it from being read', async () => {
    await declareSources(db.sql, [prices('a')])
    await claim('a')
    const second = await claim('a', plus(AT, 2 * MINUTE))
    await record('a', second.id, { outcome: 'quarantined', interrupted: true, problem: 'it died' })
    expect((await state('a')).interruptions).toBe(1)
    await read('a')
    expect((await state('a')).interruptions).toBe(0)
  })

  it('is listed newest first, twenty of them, and the later of two of one instant first', async () => {
    await declareSources(db.sql, [prices('a'), prices('b')])
    await read('b')
    for (let n = 0; n < 20; n++) await read('a', { at: plus(AT, n * MINUTE) })
    await read('a', { at: plus(AT, 19 * MINUTE), outcome: 'unchanged' })
    const listed = await listOutcomes(db.sql, 'a')
    expect(listed).toHaveLength(20)
    expect(listed.slice(0, 3).map(({ at, outcome }) => [at, outcome])).toEqual([
      [plus(AT, 19 * MINUTE), 'unchanged'],
      [plus(AT, 19 * MINUTE), 'changed'],
      [plus(AT, 18 * MINUTE), 'changed'],
    ])
  })
})

describe('sources that cannot be read', () => {
  it('are those declared that fail since an instant or longer, the longest first', async () => {
    const names = ['new', 'old', 'older', 'other', 'good', 'gone']
    await declareSources(
      db.sql,
      names.map((source) => prices(source)),
    )
    const fail = (source: string, hours: number) =>
      read(source, { outcome: 'failed', confirmed: false, problem: `${source} fails`, at: plus(AT, hours * HOUR) })
    for (const source of ['good', 'older']) await read(source, { at: plus(AT, -9 * HOUR) })
    await fail('new', 3)
    await fail('other', 2)
    await fail('old', 2)
    await fail('older', 1)
    await fail('gone', 1)
    await declareSources(
      db.sql,
      names.slice(0, -1).map((source) => prices(source)),
    )
    const failing = await failingSources(db.sql, plus(AT, 2 * HOUR))
    expect(failing.map(({ source }) => source)).toEqual(['older', 'old', 'other'])
    expect(failing[0]).toEqual({
      source: 'older',
      problem: 'older fails',
      failingSince: plus(AT, HOUR),
      lastGoodAt: plus(AT, -9 * HOUR),
      nextDueAt: plus(AT, HOUR),
    })
  })
})

describe('the list of sources', () => {
  it('has those declared before others, what is read at this moment, and what parsers left out of the newest answer', async () => {
    await declareSources(db.sql, [prices('b'), prices('a'), prices('0-gone')])
    await declareSources(db.sql, [prices('b'), prices('a')])
    const left = (reason: string, count: number) => ({ reason, count, example: 'x' })
    await read('b', { report: { ignored: [left('old', 9)] } })
    await read('b', { report: { ignored: [left('few', 1), left('many', 5)] }, at: plus(AT, MINUTE) })
    await read('b', { outcome: 'failed', confirmed: false, at: plus(AT, HOUR), report: { ignored: 'none' } })
    await claimSource(db.sql, {
      ...{ source: 'a', id: randomUUID(), now: AT },
      until: '2999-01-01T00:00:00.000Z' as Instant,
    })
    await claim('0-gone')
    const listed = await listSources(db.sql)
    expect(listed.map(({ source, collecting }) => [source, collecting])).toEqual([
      ['a', true],
      ['b', false],
      ['0-gone', false],
    ])
    expect(listed.map(({ ignored }) => ignored.map(({ reason }) => reason))).toEqual([[], ['many', 'few'], []])
  })
})

describe('a source that is not declared', () => {
  const list = (source: string, provider: string, resource: string) => db.sql`
    insert into resource (source, provider, resource, first_priced_at) values (${source}, ${provider}, ${resource}, ${AT})`

  it('is noted once with the instant, and not any more when it is declared again', async () => {
    await declareSources(db.sql, [prices('a'), prices('b'), prices('c')])
    expect(await noteDeclared(db.sql, AT)).toEqual([])
    await declareSources(db.sql, [prices('b')])
    expect((await noteDeclared(db.sql, AT)).sort()).toEqual(['a', 'c'])
    expect(await noteDeclared(db.sql, plus(AT, HOUR))).toEqual([])
    await publishing(db.sql, (tx) => recordEnded(tx, 'c', plus(AT, HOUR)))
    expect(await undeclaredSources(db.sql)).toEqual([{ source: 'a', undeclaredAt: AT }])
    await declareSources(db.sql, [prices('a'), prices('b'), prices('c')])
    expect(await noteDeclared(db.sql, plus(AT, 2 * HOUR))).toEqual([])
    expect(await undeclaredSources(db.sql)).toEqual([])
    const { undeclaredAt, endedAt } = await state('c')
    expect([undeclaredAt, endedAt]).toEqual([undefined, undefined])
    // An operator ended it before anything noted that it was not declared.
    await declareSources(db.sql, [prices('a'), prices('b')])
    await publishing(db.sql, (tx) => recordEnded(tx, 'c', plus(AT, 3 * HOUR)))
    await declareSources(db.sql, [prices('a'), prices('b'), prices('c')])
    expect(await noteDeclared(db.sql, plus(AT, 4 * HOUR))).toEqual([])
    expect((await state('c')).endedAt).toBeUndefined()
  })

  it('is locked to be ended once, never while it is declared, and its list is read again when it is back', async () => {
    await declareSources(db.sql, [prices('a'), prices('b'), prices('kept')])
    await db.sql`insert into provider (provider, name, created_at) values ('acme', 'A', ${AT}), ('other', 'O', ${AT})`
    await db.sql`insert into source_provider values ('a', 'acme'), ('b', 'other')`
    await declareSources(db.sql, [prices('kept')])
    await noteDeclared(db.sql, AT)
    const lock = (source: string) => db.sql.begin((tx) => lockUndeclared(tx, source))
    expect([await lock('kept'), await lock('a')]).toEqual([false, true])
    expect([await column('a', 'price_version'), await column('b', 'price_version')]).toEqual(['1', '0'])
    expect(await publishing(db.sql, (tx) => recordEnded(tx, 'a', AT))).toEqual(['acme'])
    expect(await lock('a')).toBe(false)
    expect([(await state('a')).endedAt, (await state('a')).readAgain]).toEqual([AT, true])
    expect([(await state('b')).endedAt, (await state('b')).readAgain]).toEqual([undefined, false])
  })

  it('is served while it lists something or has a document, by name', async () => {
    const names = ['b-listing', 'a-document', 'empty', 'removed', 'ended']
    await declareSources(
      db.sql,
      [...names, 'kept'].map((source) => prices(source)),
    )
    await db.sql`insert into provider (provider, name, created_at) values ('acme', 'A', ${AT})`
    for (const source of ['b-listing', 'removed', 'ended', 'kept']) await list(source, 'acme', 'm')
    await db.sql`update resource set removed_at = ${AT} where source = 'removed'`
    await db.sql`
      insert into document (source, provider, document, title, url, updated_at)
      values ('a-document', 'acme', 'terms', 'Terms', 'https://acme.example', ${AT})`
    await declareSources(db.sql, [prices('kept')])
    await noteDeclared(db.sql, AT)
    await publishing(db.sql, (tx) => recordEnded(tx, 'ended', AT))
    expect(await servedUndeclared(db.sql)).toEqual([
      { source: 'a-document', undeclaredAt: AT },
      { source: 'b-listing', undeclaredAt: AT },
    ])
    expect((await undeclaredSources(db.sql)).map(({ source }) => source)).toEqual(names.slice(0, -1).sort())
  })

  it('lists resources by provider and name, as many as asked for, and says which another source lists too', async () => {
    await declareSources(
      db.sql,
      ['a', 'b', 'ended'].map((source) => prices(source)),
    )
    await db.sql`
      insert into provider (provider, name, created_at) values ('acme', 'A', ${AT}), ('best', 'B', ${AT})`
    for (const [provider, resource] of [
      ['best', 'a'],
      ['acme', 'n'],
      ['acme', 'm'],
      ['acme', 'old'],
      ['acme', 'x'],
    ])
      await list('a', provider!, resource!)
    await list('b', 'acme', 'm')
    await list('b', 'acme', 'n')
    await list('b', 'best', 'x')
    await list('ended', 'best', 'a')
    await db.sql`update resource set removed_at = ${AT} where (source, resource) in (('a', 'old'), ('b', 'n'))`
    await db.sql`update source set ended_at = ${AT}, declared = false where source = 'ended'`
    const listed = await resourcesOfSource(db.sql, 'a', 3)
    expect(listed).toEqual([
      { provider: 'acme', resource: 'm', elsewhere: true },
      { provider: 'acme', resource: 'n', elsewhere: false },
      { provider: 'acme', resource: 'x', elsewhere: false },
    ])
    expect((await resourcesOfSource(db.sql, 'a', 9)).slice(3)).toEqual([
      { provider: 'best', resource: 'a', elsewhere: false },
    ])
  })
})

describe('a price source', () => {
  const declare = (more: Partial<SourceDeclaration> = {}) => declarePriceSource(db.sql, prices('a', more))

  it('is what its declaration says, also the last one of several', async () => {
    const columns = () => db.sql`
      select format, primary_source as primary, witness, interval_seconds as interval, rank, speaks_for as speaks,
             stale_after_seconds as stale, complete from source where source = 'a'`
    await declare()
    const first = {
      ...{ format: 'curated', primary: true, witness: false, interval: 3600, rank: 2, speaks: null },
      ...{ stale: 604_800, complete: false },
    }
    expect(await columns()).toEqual([first])
    const changes = [
      [{ format: 'litellm' }, { format: 'litellm' }],
      [{ primary: false }, { primary: false }],
      [{ witness: true }, { witness: true }],
      [{ intervalSeconds: 900 }, { interval: 900 }],
      [{ rank: 'verified' }, { rank: 1 }],
      [{ speaksFor: ['acme'] }, { speaks: ['acme'] }],
      [{ staleAfterSeconds: 7200 }, { stale: 7200 }],
      [{ complete: true }, { complete: true }],
    ] as const
    for (const [change, column] of changes) {
      await declare(change as Partial<SourceDeclaration>)
      expect(await columns()).toEqual([{ ...first, ...column }])
    }
    await declarePriceSource(db.sql, prices('b', { format: 'litellm' }))
    expect((await columns())[0]).toMatchObject({ complete: true, format: 'curated' })
  })

  it('lets a plan be carried out once, and not when its lines changed meanwhile', async () => {
    await declare()
    await declarePriceSource(db.sql, prices('b'))
    const claimVersion = (version: string) => db.sql.begin((tx) => claimPriceVersion(tx, 'a', version))
    expect([await claimVersion('0'), await claimVersion('0'), await claimVersion('1')]).toEqual([true, false, true])
    await db.sql.begin((tx) => raisePriceVersion(tx, 'a'))
    expect([await claimVersion('2'), await claimVersion('3')]).toEqual([false, true])
    expect(await column('b', 'price_version')).toBe('0')
  })

  it('remembers what its lines were derived from, and since when it lists all', async () => {
    await declare()
    await declarePriceSource(db.sql, prices('b', { rank: 'provider', speaksFor: ['acme'], complete: true }))
    const hash = await keep('list')
    const ingest = (source: string, at: Instant, lines: number) =>
      db.sql.begin((tx) => recordIngested(tx, { source, snapshotHash: hash, parserVersion: 5, lines }, at))
    await db.sql`update source set starts_quietly = true`
    await db.sql.begin((tx) => readAgain(tx, 'a'))
    expect([(await state('a')).readAgain, (await state('b')).readAgain]).toEqual([true, false])
    await ingest('a', AT, 7)
    const columns = (source: string) => db.sql`
      select ingested_hash as hash, ingested_parser as parser, ingested_at as at, ingested_lines as lines,
             starts_quietly as quiet, read_again as again, complete_from as complete from source where source = ${source}`
    const ingested = { hash, parser: 5, at: AT, lines: 7, quiet: false, again: false, complete: null }
    expect(await columns('a')).toEqual([ingested])
    expect(await columns('b')).toMatchObject([{ hash: null, quiet: true }])
    await ingest('b', AT, 1)
    await ingest('b', plus(AT, HOUR), 2)
    expect(await columns('b')).toMatchObject([{ at: plus(AT, HOUR), lines: 2, complete: AT }])
  })

  it('is shown to readers with its rank, when it was last read well, and where', async () => {
    await declare({ rank: 'verified', speaksFor: ['acme'] })
    await declarePriceSource(db.sql, prices('b'))
    await declarePriceSource(db.sql, prices('c'))
    const [old, ingested] = [
      await keep('old', 'https://acme.example/old'),
      await keep('new', 'https://acme.example/new'),
    ]
    await read('a', { snapshotHash: old })
    await db.sql.begin((tx) =>
      recordIngested(tx, { source: 'a', snapshotHash: ingested, parserVersion: 1, lines: 1 }, plus(AT, HOUR)),
    )
    await read('b', { snapshotHash: old })
    const facts = await sourceFacts(db.sql, ['a', 'b', 'unknown'])
    expect([...facts.keys()].sort()).toEqual(['a', 'b'])
    expect(facts.get('a')).toEqual({
      ...{ source: 'a', format: 'curated', rank: 'verified', speaksFor: ['acme'], declared: true },
      ...{ lastReadAt: plus(AT, HOUR), address: 'https://acme.example/new' },
    })
    expect(facts.get('b')).toMatchObject({ rank: 'community', lastReadAt: AT, address: 'https://acme.example/old' })
  })
})
