import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readSnapshot, storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import {
  claimSource,
  recentFetches,
  recordReading,
  renewClaim,
  sourceState,
} from '../../src/catalog/sources/source-store.ts'
import { withClaim } from '../../src/collecting/claim.ts'
import { collectDueSources } from '../../src/collecting/collect-due-sources.ts'
import type { Collecting } from '../../src/collecting/collecting.ts'
import { type Instant, MINUTE, parseInstant, plus } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'
import { collectingSystem } from './support.ts'

const name = 'deadly'
const database = testDatabase({ each: true })
const CLAIM_MS = 2 * MINUTE
const start = parseInstant('2026-11-21T10:00:00Z')!
const PRICES = JSON.stringify([{ id: 'acme', name: 'Acme', models: [{ id: 'm', prices: { input_mtok: 1 } }] }])
const system = collectingSystem(database, (_, response) => void response.end(PRICES))
let collecting: Collecting
beforeEach(async () => {
  collecting = system.declare([{ source: name, format: 'genai-prices', url: `${system.base}/${name}` }])
})
const check = (now: Instant) =>
  collectDueSources(collecting, now, { budgetMs: 60_000, startCollecting: async () => {} })

describe('a source whose reader was killed', () => {
  /** Leaves what a killed worker leaves, as `interrupted.test.ts` proves. */
  const leaveClaim = async (at: Instant) => {
    await collecting.sources()
    const claim = { source: name, id: randomUUID(), now: at, until: plus(at, CLAIM_MS) }
    expect(await claimSource(database.sql, claim)).toBeDefined()
  }
  const state = () => sourceState(database.sql, name)

  it('waits longer each time it happens again', async () => {
    let now = start
    const waits: number[] = []
    for (let death = 1; death <= 4; death++) {
      await leaveClaim(now)
      now = plus(now, 5 * MINUTE)
      if (death === 1) continue
      await check(now)
      const { nextDueAt } = (await state())!
      waits.push((Date.parse(nextDueAt) - Date.parse(now)) / MINUTE)
      now = nextDueAt
    }
    expect(waits).toEqual([5, 10, 20])
  })
})

describe('a claim', () => {
  const claim = (id: string, now: Instant) =>
    claimSource(database.sql, { source: name, id, now, until: plus(now, 2 * MINUTE) })
  const [first, second] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']

  it('names the snapshot that was being read when its process died, which is kept', async () => {
    await collecting.sources()
    await claim(first!, start)
    const bytes = Buffer.from(`deadly bytes of ${name}`)
    const hash = await storeSnapshot(database.sql, { bytes, at: start })
    await recordReading(database.sql, name, first!, hash)
    const taken = await claim(second!, plus(start, 2 * MINUTE))
    expect(taken).toMatchObject({ interrupted: { since: start, snapshotHash: hash }, state: { interruptions: 1 } })
    await database.sql`update source set interruptions = 1, collecting_until = ${start} where source = ${name}`
    await check(plus(start, 5 * MINUTE))
    const [fetched] = await recentFetches(database.sql, name)
    expect(fetched).toMatchObject({ outcome: 'quarantined', snapshotHash: hash })
    expect(Buffer.from((await readSnapshot(database.sql, hash))!)).toEqual(bytes)
  })

  it('is held by one worker, and cannot be prolonged by the one that lost it', async () => {
    await collecting.sources()
    await claim(first!, start)
    expect(await claim(second!, plus(start, MINUTE))).toBeUndefined()
    expect(await renewClaim(database.sql, name, first!, plus(start, 3 * MINUTE))).toBe(true)
    expect(await claim(second!, plus(start, 2 * MINUTE))).toBeUndefined()
    expect(await claim(second!, plus(start, 3 * MINUTE))).toBeDefined()
    expect(await renewClaim(database.sql, name, first!, plus(start, 9 * MINUTE))).toBe(false)
  })

  it('is renewed while it is read, and the reading ends when it is lost or no longer wanted', async () => {
    await collecting.sources()
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const until = async () => (await sourceState(database.sql, name))?.collectingUntil
    const outer = new AbortController()
    const begun = performance.now()
    const done = await withClaim(database.sql, name, start, outer.signal, async ({ signal }) => {
      const claimed = (await until())!
      const latest = plus(start, Math.ceil(performance.now() - begun) + CLAIM_MS)
      expect([claimed >= plus(start, CLAIM_MS), claimed <= latest]).toEqual([true, true])
      await database.sql`update source set collecting_until = ${start} where source = ${name}`
      vi.advanceTimersByTime(15_000)
      await expect.poll(until, { timeout: 20_000 }).toSatisfy((at: Instant) => at >= claimed)
      expect(signal.aborted).toBe(false)
      await database.sql`update source set claim = ${second!} where source = ${name}`
      vi.advanceTimersByTime(15_000)
      await expect.poll(() => signal.aborted, { timeout: 20_000 }).toBe(true)
      expect(signal.reason).toMatchObject({ message: `${name} was claimed by another worker` })
      return 'done'
    })
    expect([done, vi.getTimerCount(), typeof (await until())]).toEqual(['done', 0, 'string'])
    await database.sql`update source set claim = null, collecting_until = null where source = ${name}`
    const wanted = await withClaim(database.sql, name, start, undefined, async ({ signal }) => !signal.aborted)
    expect([wanted, await until()]).toEqual([true, undefined])
    await withClaim(database.sql, name, start, outer.signal, async ({ signal }) => {
      outer.abort()
      expect(signal.aborted).toBe(true)
    })
  })
})
