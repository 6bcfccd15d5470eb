import { beforeEach, describe, expect, it } from 'vitest'
import { databaseNow } from '../../../src/catalog/clock/clock-store.ts'
import { DAY, HOUR, type Instant, plus } from '../../../src/lib/instant.ts'
import { quarantineSnapshot } from '../../../src/prices/ingest/quarantine-snapshot.ts'
import type { StagedInput } from '../../../src/prices/ingest/schema.ts'
import type { Difference } from '../../../src/prices/plan/schema.ts'
import { recordContent } from '../../../src/prices/store/ingested-content-store.ts'
import type { KnownSource } from '../../../src/prices/store/line-state-store.ts'
import * as reviews from '../../../src/prices/store/snapshot-review-store.ts'
import { testDatabase } from '../../support/database.ts'
import { addSources, at, emptied, inTransaction } from '../stores/line-rows.ts'

const db = testDatabase()
beforeEach(async () => {
  await emptied(db.sql)
  await addSources(db.sql)
})

const NOW = at(100)
const changed = (price: string, n: number, kind = 'changed') => ({
  ...{ kind, line: { provider: 'acme', resource: `m${n}` }, money: { price } },
  known: { current: { price: '1' } },
})
type GivenSnapshot = {
  lines?: number
  content?: string | undefined
  before?: Partial<KnownSource>
  diff?: object
  input?: Partial<Omit<StagedInput, 'at'>> & { at?: Instant | undefined }
}
/** Judges a snapshot of 100 lines that says `new`, after one of 100 lines at hour 1, unless it is given otherwise. */
async function judge(given: GivenSnapshot = {}) {
  const diff = { proposals: [], confirmed: [], waiting: [], missing: [], unchanged: 0, ...given.diff }
  const input = {
    ...{ source: { source: 'list' }, snapshotHash: 'hash', at: NOW, parsed: { providers: [] }, suppressed: {} },
    ...given.input,
  }
  const snapshot = {
    lines: 100,
    content: 'new',
    ...given,
    before: { ingestedLines: 100, ingestedAt: at(1), ...given.before },
  }
  const found = await quarantineSnapshot(db.sql, input as never, diff as unknown as Difference, snapshot as never)
  return found?.reason
}
const items = async () => {
  const rows = await db.sql`
    select source, kind, reasons[1] as reason, decision, asks, (detail->>'fetches')::int as fetches, detail->>'content' as content
    from review order by opened_at, source, kind, content`
  return rows.map((row) => Object.values(row).join(' '))
}
/** A person decides about the open item of `list`. */
const decide = (decision: string, hour: number) => db.sql`
  update review set decision = ${decision}, decided_at = ${at(hour)} where source = 'list' and decided_at is null`

describe('a snapshot', () => {
  it('is taken in where nothing is wrong, and where it announces providers before there was any price', async () => {
    expect(await judge()).toBeUndefined()
    const announced = (more: GivenSnapshot = {}) =>
      judge({
        lines: 0,
        before: { ingestedLines: undefined },
        input: { parsed: { providers: [{}] as never } },
        ...more,
      })
    expect(await announced()).toBeUndefined()
    expect(await announced({ before: { ingestedLines: 0 } })).toBeUndefined()
    expect(await items()).toEqual([])
    expect(await announced({ before: { ingestedLines: 1 } })).toBe('no_prices')
    expect(await announced({ input: {} })).toBe('no_prices')
    const oneOdd = { parsed: { providers: [{}] as never }, suppressed: { not_a_price: 1 } }
    expect(await announced({ input: oneOdd })).toBe('no_prices')
    expect(await announced({ lines: 1 })).toBeUndefined()
  })

  it('is quarantined where it lost more than half of the prices of the last good one', async () => {
    expect(await judge({ lines: 49 })).toBe('collapsed')
    expect(await judge({ lines: 50 })).toBeUndefined()
    expect(await judge({ lines: 9, before: { ingestedLines: undefined } })).toBeUndefined()
    expect(await items()).toEqual(['list snapshot collapsed  true 1 new'])
  })

  it('is quarantined where more than 30 % of what it has in common with the last one moved by a power of ten', async () => {
    const flipped = (count: number, diff: object) =>
      judge({ diff: { proposals: Array.from({ length: count }, (_, n) => changed('1000', n)), ...diff } })
    expect(await flipped(10, { unchanged: 23 })).toBe('unit_flipped')
    expect(await flipped(10, { unchanged: 24 })).toBeUndefined()
    expect(await flipped(10, { unchanged: 20, confirmed: [{}, {}, {}] })).toBe('unit_flipped')
    expect(await flipped(10, { unchanged: 20, confirmed: [{}, {}, {}, {}] })).toBeUndefined()
    const revised = Array.from({ length: 10 }, (_, n) => changed('1000', n, 'revised'))
    expect(await judge({ diff: { proposals: revised } })).toBeUndefined()
  })

  it('is one item while it stays the same, and another one when it says something else', async () => {
    await judge({ lines: 0, content: undefined, input: { at: undefined } })
    const now = await databaseNow(db.sql)
    const [opened] = await db.sql<{ at: Instant }[]>`select opened_at as at from review`
    expect(Math.abs(Date.parse(opened!.at) - Date.parse(now))).toBeLessThan(5 * 60_000)
    await judge({ lines: 0, content: undefined })
    expect(await items()).toEqual(['list snapshot no_prices  true 2 '])
    await judge({ lines: 0, content: undefined, input: { source: { source: 'other' } as never } })
    await judge({ lines: 3 })
    await db.sql`update review set opened_at = ${at(1)} where decision = 'superseded'`
    await db.sql`update review set opened_at = ${at(2)} where source = 'other'`
    expect(await items()).toEqual([
      'list snapshot no_prices superseded true 2 ',
      'other snapshot no_prices  true 1 ',
      'list snapshot collapsed  true 1 new',
    ])
  })

  it('that a person approved is taken in, by its bytes or by what it says, and expects no longer lists then', async () => {
    await judge({ lines: 40 })
    await decide('approved', 50)
    const short = { lines: 40, before: { ingestedAt: at(60) } }
    expect(await judge({ ...short, content: 'other' })).toBeUndefined()
    expect(await judge({ ...short, input: { snapshotHash: 'other' } })).toBeUndefined()
    const elsewhere = { content: 'other', input: { snapshotHash: 'other' } }
    expect(await judge({ ...short, ...elsewhere })).toBe('collapsed')
    expect(await judge({ lines: 19, ...elsewhere, before: { ingestedAt: at(49) } })).toBe('collapsed')
    for (const [lines, ingested, reason] of [
      [20, 49, undefined],
      [40, 50, 'collapsed'],
      [20, 50, 'collapsed'],
    ] as const)
      expect(await judge({ lines, ...elsewhere, before: { ingestedAt: at(ingested) } })).toBe(reason)
    // A list that became shorter since is not expected to be as long again.
    expect(await judge({ lines: 15, ...elsewhere, before: { ingestedAt: at(49), ingestedLines: 30 } })).toBeUndefined()
    expect(await judge({ lines: 40, ...elsewhere, before: { ingestedAt: undefined } })).toBe('collapsed')
  })

  it('that a person rejected stays out, and is not asked about again', async () => {
    await judge({ lines: 40 })
    await decide('rejected', 50)
    expect(await judge({ lines: 40, content: 'other' })).toBe('collapsed')
    expect(await judge({ lines: 40, input: { snapshotHash: 'other' } })).toBe('collapsed')
    expect(await items()).toEqual(['list snapshot collapsed rejected true 1 new'])
    expect(await judge({ lines: 40, content: 'other', input: { snapshotHash: 'other' } })).toBe('collapsed')
    expect(await items()).toHaveLength(2)
    expect(await judge({ lines: 60 })).toBeUndefined()
  })
})

describe('a list that was served before', () => {
  const resources = (count: number) => ({
    proposals: Array.from({ length: count }, (_, n) => changed('1.1', n)),
    unchanged: 90,
  })
  beforeEach(async () => {
    await inTransaction(db.sql, async (tx) => {
      await recordContent(tx, 'list', 'old', at(5))
      await recordContent(tx, 'list', 'newer', at(6))
      await recordContent(tx, 'other', 'theirs', at(5))
      await recordContent(tx, 'other', 'newer', at(6))
    })
  })
  const again = (given: GivenSnapshot = {}) => judge({ content: 'old', diff: resources(5), ...given })

  it('is believed once its source has repeated it for a day, in three fetches', async () => {
    const hours = (count: number) => again({ input: { at: plus(NOW, count * HOUR) } })
    expect(await again()).toBe('served_again')
    expect(await hours(24)).toBe('served_again')
    expect(await hours(24)).toBeUndefined()
    expect(await items()).toEqual(['list snapshot served_again  false 3 old'])
    await db.sql`update review set opened_at = ${plus(NOW, 1)}`
    expect(await hours(24)).toBe('served_again')
    // Other doubts do not end by themselves.
    const short = { lines: 3, content: 'short' }
    for (let n = 0; n < 3; n++) await judge(short)
    expect(await judge({ ...short, input: { at: plus(NOW, 9 * DAY) } })).toBe('collapsed')
  })

  it('is taken in at once where few resources differ, in imported history, and where it was another source or never said', async () => {
    expect(await again({ diff: resources(4) })).toBeUndefined()
    expect(await again({ input: { quiet: true } })).toBeUndefined()
    expect(await again({ content: undefined })).toBeUndefined()
    expect(await again({ content: 'newer' })).toBeUndefined()
    expect(await again({ content: 'theirs' })).toBeUndefined()
    expect(await items()).toEqual([])
  })
})

describe('the item about a snapshot', () => {
  const open = (source: string, hour: number, content = 'c', reason = 'collapsed') =>
    inTransaction(db.sql, (tx) =>
      reviews.openSnapshotReview(tx, source, at(hour), {
        reason,
        message: 'm',
        snapshotHash: content,
        content,
        lines: hour,
      }),
    )
  /** An item of another kind of the same source, which is none of its business. */
  const besides = () => db.sql`
    insert into review (source, provider, kind, reasons, detail, opened_at)
    values ('list', 'acme', 'price', '{jump}', '{"content": "c"}', ${at(0)}), ('list', 'acme', 'removal', '{gone}', '{}', ${at(0)})`

  it('is closed when a good snapshot comes, of its source alone', async () => {
    await besides()
    expect(await open('list', 1)).toEqual({ since: at(1), fetches: 1 })
    expect(await open('list', 2)).toEqual({ since: at(1), fetches: 2 })
    await open('other', 1)
    await inTransaction(db.sql, (tx) => reviews.closeSnapshotReview(tx, 'list', at(3)))
    await inTransaction(db.sql, (tx) => reviews.closeSnapshotReview(tx, 'list', at(4)))
    const rows = await db.sql`select source, kind, decision, decided_at as at from review order by 1, 2`
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['list', 'price', null, null],
      ['list', 'removal', null, null],
      ['list', 'snapshot', 'superseded', at(3)],
      ['other', 'snapshot', null, null],
    ])
    expect(await open('list', 5)).toEqual({ since: at(5), fetches: 1 })
  })

  it('remembers what a person decided last of each kind', async () => {
    await besides()
    await db.sql`update review set decision = 'approved', decided_at = ${at(90)}`
    const decided = async (source: string, hour: number, decision: string) => {
      await open(source, hour, `${source} ${hour}`)
      await db.sql`
        update review set decision = ${decision}, decided_at = ${at(hour + 0.5)}
        where source = ${source} and kind = 'snapshot' and decided_at is null`
    }
    expect(await reviews.decidedSnapshot(db.sql, 'list', 'approved')).toBeUndefined()
    for (const [source, hour, decision] of [
      ['list', 1, 'approved'],
      ['list', 4, 'approved'],
      ['list', 2, 'approved'],
      ['list', 5, 'rejected'],
      ['other', 9, 'approved'],
      ['list', 6, 'superseded'],
    ] as const)
      await decided(source, hour, decision)
    const shown = (hour: number) => ({
      hash: `list ${hour}`,
      content: `list ${hour}`,
      lines: hour,
      decidedAt: at(hour + 0.5),
    })
    expect(await reviews.decidedSnapshot(db.sql, 'list', 'approved')).toEqual(shown(4))
    expect(await reviews.decidedSnapshot(db.sql, 'list', 'rejected')).toEqual(shown(5))
  })
})
