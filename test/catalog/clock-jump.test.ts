import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { forgetAnchors } from '../../src/catalog/clock/clock-anchor-store.ts'
import { lastPublication, publishing } from '../../src/catalog/clock/clock-store.ts'
import { clockCommand } from '../../src/cli/running/clock.ts'
import { DAY, epochMs, MINUTE } from '../../src/lib/instant.ts'
import { connect } from '../../src/lib/sql.ts'
import { readHealth } from '../../src/monitoring/read-health.ts'
import { testDatabase } from '../support/database.ts'

const realNow = Date.now()

/** The machine's clock is vitest's, its uptime is real. The database's clock is a function of this database alone. */
describe('a clock that is wrong', () => {
  const db = testDatabase()
  const publish = () => publishing(db.sql, async (_tx, { at }) => at)
  /** Why nothing is published. That no check runs here is left out. */
  const codes = async () =>
    (await readHealth(db.sql)).reasons.map(({ code }) => code).filter((code) => code !== 'no_check_yet')

  async function setDatabaseClock(offMs: number) {
    await db.sql`update fake.clock set off = make_interval(secs => ${offMs / 1_000})`
  }
  const setMachineClock = (offMs: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs })

  beforeAll(async () => {
    await db.sql.unsafe(`
      create schema fake;
      create table fake.clock (off interval not null default '0');
      insert into fake.clock default values;
      create function fake.clock_timestamp() returns timestamptz language sql volatile
        as 'select pg_catalog.clock_timestamp() + off from fake.clock';
      alter database ${db.name} set search_path = fake, pg_catalog, public`)
    await db.sql.end()
    db.sql = connect(db.url)
  })
  afterEach(async () => {
    vi.useRealTimers()
    await setDatabaseClock(0)
    await forgetAnchors(db.sql)
  })

  it('stamps nothing while the database’s clock is a day ahead, and goes on when it is corrected', async () => {
    const before = await publish()
    await setDatabaseClock(DAY)
    await expect(publish()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/ahead of this/),
    })
    expect(await lastPublication(db.sql)).toBe(before)
    expect(await codes()).toContain('clock_skew')
    await setDatabaseClock(0)
    const after = await publish()
    expect(epochMs(after) - epochMs(before)).toBeLessThan(10 * MINUTE)
    expect(await codes()).toEqual([])
  })

  it('stamps nothing when both clocks jumped ahead together, also from a process that was started since', async () => {
    const before = await publish()
    await setDatabaseClock(DAY)
    setMachineClock(DAY)
    const jumped = { code: 'unavailable', message: expect.stringMatching(/jumped ahead by 86,\d{3} s/) }
    await expect(publish()).rejects.toMatchObject(jumped)
    const other = connect(db.url, { max: 1 })
    await expect(publishing(other, async () => {})).rejects.toMatchObject(jumped)
    await other.end()
    expect(await lastPublication(db.sql)).toBe(before)
    expect(await codes()).toEqual(['clock_jumped'])
  })

  it('stamps again when both clocks are corrected, without anyone doing anything', async () => {
    await publish()
    await setDatabaseClock(DAY)
    setMachineClock(DAY)
    await expect(publish()).rejects.toMatchObject({ code: 'unavailable' })
    await setDatabaseClock(0)
    vi.useRealTimers()
    expect(epochMs(await publish()) - realNow).toBeLessThan(10 * MINUTE)
  })

  it('stamps later than the last stamp after a step back, and says so', async () => {
    const before = await publish()
    await setDatabaseClock(-10 * MINUTE)
    setMachineClock(-10 * MINUTE)
    expect((await publish()) > before).toBe(true)
    expect(await codes()).toEqual([])
    const degraded = (await readHealth(db.sql)).degraded.filter(({ code }) => /clock|stamps/.test(code))
    expect(degraded.map(({ code }) => code)).toEqual(['clock_stepped_back', 'stamps_ahead'])
  })

  /** Runs `clock accept` in this process, which has the clock of the test. Returns what it prints. */
  async function acceptByCommand(): Promise<string> {
    vi.stubEnv('DATABASE_URL', db.url)
    vi.stubEnv('PRICETAPE_DATA_DIR', join(tmpdir(), 'pricetape-nothing-runs-here'))
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      await clockCommand().parseAsync(['accept'], { from: 'user' })
      return printed.mock.calls.join('')
    } finally {
      printed.mockRestore()
      vi.unstubAllEnvs()
    }
  }

  it('stamps with the new time once an operator runs `clock accept`, which prints that time', async () => {
    await publish()
    await setDatabaseClock(MINUTE)
    setMachineClock(MINUTE)
    await expect(publish()).rejects.toMatchObject({ code: 'unavailable' })
    const [, printed] = /^Publishing continues\. The database’s clock reads (\S+)\.\n$/.exec(await acceptByCommand())!
    expect(Date.parse(printed!)).toBeGreaterThan(realNow + MINUTE - 1)
    expect(epochMs(await publish())).toBeGreaterThan(realNow + MINUTE - 1)
  })

  it('stamps nothing after `clock accept` while the database’s clock is ahead of this machine’s', async () => {
    await publish()
    await setDatabaseClock(DAY)
    await expect(acceptByCommand()).rejects.toThrow(/^This cannot be accepted: .* ahead of this/)
    await expect(publish()).rejects.toMatchObject({ code: 'unavailable' })
  })
})
