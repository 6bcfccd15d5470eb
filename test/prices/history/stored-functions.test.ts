import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { providersAt } from '../../../src/prices/history/history-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addLine, addRow, addSources, at, emptied, inTransaction } from '../stores/line-rows.ts'

const db = testDatabase()
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
})

type Period = { hash: string; line: string; recorded: Instant; from: Instant; until: Instant | null }
type SettledPeriod = Period & { superseded: Instant | null; again: Instant | null }

/** What is settled of periods, as it is defined: looked for at every instant at which a period of the line begins or ends. */
function settled(periods: Period[]): SettledPeriod[] {
  const isServed = ({ from, until }: Period, now: Instant) => from <= now && (until === null || until > now)
  return periods.map((one) => {
    const ofLine = periods.filter(({ line }) => line === one.line)
    const newer = ofLine.filter(({ recorded, hash }) => recorded + hash > one.recorded + one.hash)
    const instants = ofLine
      .flatMap(({ from, until }) => [from, until ?? []].flat())
      .filter((now) => isServed(one, now))
      .sort()
    const superseded = instants.find((now) => newer.some((other) => isServed(other, now))) ?? null
    const again = instants.find((now) => superseded && now > superseded && !newer.some((other) => isServed(other, now)))
    return { ...one, superseded, again: again ?? null }
  })
}
const stored = (sql: Sql) => sql<SettledPeriod[]>`
  select content_hash as hash, line_id as line, recorded_at as recorded, published_at as from, unpublished_at as until,
         superseded_at as superseded, current_again_at as again
  from publication order by published_at, content_hash`

describe('since when a newer row of a line is served', () => {
  const HOURS = 10
  /** What happens in each hour: the number of a row that begins, of one that ends, and of one that begins again. */
  const step = fc.record({
    line: fc.nat(1),
    publish: fc.boolean(),
    end: fc.array(fc.nat(6)),
    again: fc.array(fc.nat(6)),
  })

  /** Rows of two lines begin, end and begin again, whenever that is possible. */
  async function happen(steps: { line: number; publish: boolean; end: number[]; again: number[] }[]) {
    const lines = [await addLine(db.sql), await addLine(db.sql, { resource: 'b' })]
    const rows: { name: string; line: string; recorded: number }[] = []
    const serve = (name: string, line: string, recorded: number, from: number) => db.sql`
      insert into publication (content_hash, published_at, provider, source, resource, body, line_id, recorded_at, dimension, currency)
      select ${name}, ${at(from)}, provider, source, resource, '{}', line_id, ${at(recorded)}, dimension, currency
      from price_line where line_id = ${line}
        and not exists (select from publication where content_hash = ${name} and unpublished_at is null)`
    for (const [n, { line, publish, end, again }] of steps.entries()) {
      const ended = end.flatMap((row) => rows[row]?.name ?? [])
      await db.sql`
        update publication set unpublished_at = ${at(n)} where content_hash = any(${ended}::text[]) and unpublished_at is null`
      for (const row of again) {
        const one = rows[row]
        if (one && !ended.includes(one.name)) await serve(one.name, one.line, one.recorded, n)
      }
      if (!publish) continue
      // Two rows of one instant are told apart by their hash: the second one is the newer.
      for (const name of n % 3 === 0 ? [`row ${n} a`, `row ${n} b`] : [`row ${n}`]) {
        const one = { name, line: lines[line]!, recorded: n }
        rows.push(one)
        await serve(name, one.line, n, n)
      }
    }
  }

  it('is settled for every period, and from when on none is for the first time, whatever begins and ends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: HOURS }), async (steps) => {
        await emptied(db.sql)
        await addSources(db.sql)
        await happen(steps)
        const found = [...(await stored(db.sql))]
        expect(found).toEqual(settled(found))
      }),
      { seed: 7, numRuns: 30 },
    )
  })

  it('is looked for since an instant alone: what was settled before it stands', async () => {
    const line = await addLine(db.sql)
    for (const [name, hour] of [
      ['first', 1],
      ['second', 2],
      ['third', 3],
    ] as const)
      await addRow(db.sql, line, name, hour, { served: [[hour]] })
    await inTransaction(db.sql, async (tx) => {
      // Without the trigger, which would settle it again.
      await tx`alter table publication disable trigger user`
      await tx`update publication set superseded_at = ${at(2.5)} where content_hash = 'first'`
      await tx`alter table publication enable trigger user`
    })
    const superseded = async (since: number) => {
      await db.sql`select settle_superseded(${[line]}::bigint[], ${at(since)}, false)`
      return (await stored(db.sql)).map((row) => row.superseded)
    }
    expect(await superseded(2.5)).toEqual([at(2.5), at(3), null])
    expect(await superseded(2.4)).toEqual([at(2), at(3), null])
  })
})

describe('the names that are no longer in use', () => {
  const rename = (
    from: string,
    to: string,
    hour: number,
    given: { until?: number; source?: string; provider?: string } = {},
  ) =>
    db.sql`
      insert into resource_rename (source, provider, old_resource, new_resource, at, ended_at)
      values (${given.source ?? 'list'}, ${given.provider ?? 'acme'}, ${from}, ${to}, ${at(hour)},
              ${given.until === undefined ? null : at(given.until)})`
  const renamed = async (hour: number, providers: string[] | null = null) => {
    const [row] = await db.sql<
      { names: string[] | null; listed: Record<string, string> | null; old: Record<string, string[]> | null }[]
    >`select names, listed_names as listed, old_names as old from renamed_at(${at(hour)}, ${providers}::text[])`
    const { names, listed, old } = row!
    const shown = (map: Record<string, unknown> | null) =>
      Object.fromEntries(Object.entries(map ?? {}).map(([key, value]) => [key.replaceAll('\x1f', ' '), value]))
    for (const of of Object.values(old ?? {})) of.sort()
    return { names: names && [...names].sort(), listed: shown(listed), old: shown(old) }
  }

  it('are those of renamings in force, each with the name at the end, for every source and provider by itself', async () => {
    expect(await renamed(9)).toEqual({ names: null, listed: {}, old: {} })
    await rename('a', 'b', 1)
    await rename('b', 'c', 2)
    await rename('x', 'c', 3, { until: 5 })
    await rename('a', 'z', 1, { source: 'other' })
    await rename('b', 'y', 2, { provider: 'best' })
    expect(await renamed(0.9)).toMatchObject({ names: null })
    expect((await renamed(1)).listed).toEqual({ 'list acme a': 'b', 'other acme a': 'z' })
    expect(await renamed(4)).toEqual({
      names: ['a', 'b', 'x'],
      listed: { 'list acme a': 'c', 'list acme b': 'c', 'list acme x': 'c', 'list best b': 'y', 'other acme a': 'z' },
      old: { 'list acme c': ['a', 'b', 'x'], 'list best y': ['b'], 'other acme z': ['a'] },
    })
    expect((await renamed(5)).old).toMatchObject({ 'list acme c': ['a', 'b'] })
    expect(await renamed(4, ['best'])).toEqual({
      names: ['b'],
      listed: { 'list best b': 'y' },
      old: { 'list best y': ['b'] },
    })
    expect(await renamed(4, ['none'])).toMatchObject({ names: null })
  })

  it('are followed to their end, however often a resource was renamed', async () => {
    for (let n = 0; n < 12; n++) await rename(`m${n}`, `m${n + 1}`, n)
    const { listed, old } = await renamed(20)
    expect([listed['list acme m0'], listed['list acme m11']]).toEqual(['m12', 'm12'])
    expect(old['list acme m12']).toHaveLength(12)
    expect((await renamed(3)).listed['list acme m0']).toBe('m4')
  })

  it('are followed for the newest of several renamings, and not in circles', async () => {
    await rename('a', 'b', 1)
    await rename('a', 'c', 2)
    expect((await renamed(3)).listed).toEqual({ 'list acme a': 'c' })
    await rename('c', 'a', 3)
    const { names, listed } = await renamed(3)
    // A name that comes back to itself is in use; the other one of the circle is listed as it.
    expect(Object.entries(listed).every(([key, value]) => key !== `list acme ${value}`)).toBe(true)
    expect(names === null || names.every((name) => ['a', 'c'].includes(name))).toBe(true)
  })

  it('are current in place of the listed name while that one has no row, the newest of them alone', async () => {
    const ids: Record<string, string> = {}
    for (const resource of ['a', 'b', 'c', 'd']) ids[resource] = await addLine(db.sql, { resource })
    const others = [{ dimension: 'pages' }, { source: 'other' }, { provider: 'best' }]
    for (const [n, other] of others.entries())
      await addRow(db.sql, await addLine(db.sql, { resource: 'c', ...other }), `other ${n}`, 9, { served: [[1]] })
    await addRow(db.sql, ids.a!, 'row a', 1, { served: [[1]] })
    await addRow(db.sql, ids.b!, 'row b', 2, { served: [[2, 6]] })
    await addRow(db.sql, ids.c!, 'row c', 1, { served: [[4, 8]] })
    await addRow(db.sql, ids.d!, 'row d', 9, { served: [[1]] })
    const old = JSON.stringify({ 'list\x1facme\x1fc': ['a', 'b'], 'list\x1facme\x1fg': ['e', 'f'] })
    const isNewest = async (resource: string, recorded: number, hour: number, listed: string | null = 'c') => {
      const [row] = await db.sql<{ is: boolean }[]>`
        select is_newest_of_names(${ids[resource]!}, ${at(recorded)}, ${`row ${resource}`}, ${listed}, ${old}::text::jsonb, ${at(hour)}) as is`
      return row!.is
    }
    const of = (hour: number) => Promise.all([isNewest('a', 1, hour), isNewest('b', 2, hour)])
    expect(await of(1.9)).toEqual([true, true])
    expect(await of(2)).toEqual([false, true])
    expect(await of(3.9)).toEqual([false, true])
    expect(await of(4)).toEqual([false, false])
    expect(await of(6)).toEqual([false, false])
    expect(await of(8)).toEqual([true, true])
    expect(await isNewest('a', 1, 5, null)).toBe(true)
    // Of rows that were recorded at once, one is the newer: that with the later hash.
    for (const resource of ['e', 'f']) {
      ids[resource] = await addLine(db.sql, { resource })
      await addRow(db.sql, ids[resource], `row ${resource}`, 3, { served: [[3]] })
    }
    expect([await isNewest('e', 3, 4, 'g'), await isNewest('f', 3, 4, 'g')]).toEqual([false, true])
  })
})

it('a provider that is active and priced in USD alone is among the usual ones, and one with credits is named', async () => {
  const add = async (provider: string, pricing: [number, boolean, boolean][], statuses: [number, string][]) => {
    await db.sql`insert into provider (provider, name, created_at) values (${provider}, ${provider}, ${at(0)})`
    for (const [hour, usd, credits] of pricing)
      await db.sql`
        insert into provider_pricing (provider, at, in_usd, in_credits) values (${provider}, ${at(hour)}, ${usd}, ${credits})`
    for (const [hour, status] of statuses)
      await db.sql`insert into provider_status (provider, at, status) values (${provider}, ${at(hour)}, ${status})`
  }
  await db.sql`delete from provider_pricing`
  await add('usd', [[1, true, false]], [[1, 'active']])
  await add('retired', [[1, true, false]], [[1, 'active'], [5, 'retired']]) // biome-ignore format: one thought
  await add('credits', [[1, false, true]], [[1, 'active']])
  await add('both', [[1, true, true]], [[1, 'active']])
  await add('neither', [[1, false, false]], [[1, 'active']])
  await add('later', [[11, true, false]], [[1, 'active']])
  await add('changed', [[1, true, false], [5, false, true], [11, true, false]], [[1, 'active']]) // biome-ignore format: one thought
  await add('back', [[10, true, false]], [[1, 'retired'], [10, 'active'], [11, 'retired']]) // biome-ignore format: one thought
  const { creditProviders, usualProviders } = await providersAt(db.sql, at(10))
  expect(creditProviders.sort()).toEqual(['both', 'changed', 'credits'])
  expect(usualProviders.sort()).toEqual(['back', 'usd'])
})

it('what processes of 1.0.0 ask for is a page of rows as they are, without who confirmed them', async () => {
  for (const [name, hour] of [['row a', 1], ['row b', 2], ['row c', 3]] as const) // biome-ignore format: three rows
    await addRow(db.sql, await addLine(db.sql, { resource: name }), name, hour, { served: [[hour]] })
  const page = async (after: string, size: number, resources: string[] | null = null) => {
    const [row] = await db.sql<{ prices: string; count: number }[]>`
      select prices, rows_found as count from history_page(
        ${at(2)}, ${after}, ${size}, null, '{}', null, null, ${resources}, null, null, false)`
    return [row!.prices, row!.count]
  }
  expect(await page('', 5)).toEqual(['row a as JSON,row b as JSON', 2])
  expect(await page('', 1)).toEqual(['row a as JSON', 1])
  expect(await page('row a', 5)).toEqual(['row b as JSON', 1])
  expect(await page('', 5, ['row b', 'row c'])).toEqual(['row b as JSON', 1])
})

it('a database is named by its cluster, its branch, itself and the table of its history', async () => {
  const [row] = await db.sql<{ parts: string[]; cluster: string; database: number; table: number }[]>`
    select string_to_array(history_fingerprint(), '/') as parts,
      (select system_identifier::text from pg_control_system()) as cluster,
      (select oid from pg_database where datname = current_database()) as database,
      'history_timeline'::regclass::oid as table`
  const { parts, cluster, database, table } = row!
  expect(parts).toEqual([cluster, expect.stringMatching(/^[0-9A-F]{8}$/), String(database), String(table)])
})

it('a history that was restored says what it lost, and revisions go on from the second in which the newest one began', async () => {
  class Undone extends Error {}
  const work = inTransaction(db.sql, async (tx) => {
    const floor = async () => (await tx<{ floor: number }[]>`select revision_floor() as floor`)[0]!.floor
    const lost = async (hour: number) => (await tx<{ is: boolean }[]>`select was_lost(${at(hour)}) as is`)[0]!.is
    expect([await floor(), await lost(3)]).toEqual([0, false])
    for (const [started, after, until] of [
      ['2026-01-01T00:01:00Z', 1, 3],
      ['2026-01-01T00:02:00Z', 5, 6],
    ] as const)
      await tx`
        insert into history_timeline (reason, started_at, lost_after, lost_until)
        values ('restored', ${started}, ${at(after)}, ${at(until)})`
    expect(await floor()).toBe(120)
    const hours = [1, 1.01, 3, 3.01, 5, 5.01, 6, 6.01]
    const found = []
    for (const hour of hours) found.push(await lost(hour))
    expect(found).toEqual([false, true, true, false, false, true, true, false])
    throw new Undone()
  })
  await expect(work).rejects.toThrow(Undone)
})

it('a source confirms by its own word what it speaks for, as a list all others, and nothing once it was not read lately', async () => {
  await db.sql`
    insert into good_fetch (source, at, rank, speaks_for, stale_after_seconds)
    values ('list', ${at(1)}, 0, '{acme}', 3600), ('other', ${at(1)}, 1, null, 3600)`
  const said = async (hour: number) => {
    const rows = await db.sql<{ source: string; own: string; list: string }[]>`
      select source, by_own_word as own, by_list as list from confirming_sources(${at(hour)}) order by source`
    const rank = (text: string) => /"rank":"(\w+)"\}$/.exec(text)?.[1]
    return rows.map(({ source, own, list }) => [source, rank(own), rank(list)])
  }
  expect(await said(0.9)).toEqual([])
  for (const hour of [1, 1.9])
    expect(await said(hour)).toEqual([
      ['list', 'provider', 'community'],
      ['other', 'verified', 'verified'],
    ])
  expect(await said(2)).toEqual([
    ['list', undefined, undefined],
    ['other', undefined, undefined],
  ])
})
