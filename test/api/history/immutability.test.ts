import { describe, expect, it } from 'vitest'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import { closeAsOf } from '../../../src/catalog/clock/close-as-of.ts'
import { type Instant, MINUTE, plus } from '../../../src/lib/instant.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { historyPage } from '../../../src/prices/history/history-store.ts'
import { testDatabase } from '../../support/database.ts'
import { publishIn, seedProviders, withdrawIn } from '../../support/prices.ts'

const START = '2026-01-01T00:00:00.000Z' as Instant
const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))

async function read(sql: Sql, asOf: Instant, providers?: string[]): Promise<string> {
  await closeAsOf(sql, asOf)
  return String((await historyPage(sql, { asOf, rows: { providers, filters: {} }, after: '', limit: 10_000 })).prices)
}

type Row = { resource: string; status: string; renamedTo?: string }
const summary = (prices: string): string[] =>
  (JSON.parse(`[${prices}]`) as (Row & { price: string; approvalStatus: string })[])
    .map((row) => `${row.resource} ${row.price} ${row.approvalStatus} ${row.renamedTo ?? ''}`)
    .sort()

/** How many instants are read at least, and how many different answers they give. */
const [INSTANTS, ANSWERS] = [20, 3]

describe('an answer never changes', () => {
  const db = testDatabase({ each: true })

  it('while writers go on and readers ask the newest instant again and again', async () => {
    await seedProviders(db.sql, undefined, [{ provider: 'busy' }])
    const writers = connect(db.url, { max: 4 })
    const seen = new Map<Instant, string>()
    const enough = Date.now() + 2_500
    // A busy machine needs longer for as many.
    const goesOn = () => Date.now() < enough || seen.size <= INSTANTS || new Set(seen.values()).size <= ANSWERS
    const write = async (writer: number) => {
      for (let n = 0; goesOn(); n++) {
        await publishing(writers, async (tx, stamp) => {
          const rows = [{ provider: 'busy', resource: `w${writer}`, price: String(n) }]
          const [hash] = await publishIn(tx, stamp, rows)
          await sleep(n % 3)
          if (n % 4 === 0) await withdrawIn(tx, stamp, [hash!]).catch(() => {})
        }).catch(() => {}) // a row cannot be withdrawn at the instant it is published: the publication is undone
      }
    }
    const ask = async () => {
      while (goesOn()) {
        // With the delay taken away every instant up to now can be read: the hardest case there is.
        const [row] = await db.sql<{ now: Instant }[]>`select date_trunc('milliseconds', clock_timestamp()) as now`
        const text = await read(db.sql, row!.now, ['busy'])
        expect(seen.get(row!.now) ?? text).toBe(text)
        seen.set(row!.now, text)
      }
    }
    await Promise.all([...[1, 2, 3].map(write), ask(), ask()])
    await writers.end()
    for (const [at, text] of seen) expect(await read(db.sql, at, ['busy'])).toBe(text)
  })

  it('when a stalled writer holds its publication open: earlier instants are read at once, later ones wait for it', async () => {
    await seedProviders(db.sql, undefined, [{ provider: 'slow' }])
    const writer = connect(db.url, { max: 1 })
    let release = () => {}
    let at = START
    const held = new Promise<void>((done) => {
      release = done
    })
    const before = await publishing(db.sql, async (_tx, stamp) => stamp.at)
    const stalled = publishing(writer, async (tx, stamp) => {
      at = stamp.at
      await publishIn(tx, stamp, [{ provider: 'slow', resource: 'm', price: '1' }])
      await held
    })
    while (at === START) await sleep(5)
    expect(await read(db.sql, before, ['slow'])).toBe('')
    let answered = false
    const late = read(db.sql, plus(at, 1), ['slow']).then((text) => {
      answered = true
      return text
    })
    await sleep(200)
    expect(answered).toBe(false)
    release()
    await stalled
    expect(summary(await late)).toEqual(['m 1 auto_approved '])
    expect(await read(db.sql, before, ['slow'])).toBe('')
    await writer.end()
  })

  it('even if a writer stalls for longer than the 15 minutes: what was read stays, its own stamp comes later', async () => {
    await seedProviders(db.sql, undefined, [{ provider: 'late' }])
    const [row] = await db.sql<{ now: Instant }[]>`select clock_timestamp()::timestamptz(3) as now`
    const ahead = plus(row!.now, 20 * MINUTE)
    const text = await read(db.sql, ahead, ['late'])
    const stamp = await publishing(db.sql, async (tx, given) => {
      await publishIn(tx, given, [{ provider: 'late', resource: 'm', price: '1' }])
      return given.at
    })
    expect(stamp > ahead).toBe(true)
    expect(await read(db.sql, ahead, ['late'])).toBe(text)
  })
})
