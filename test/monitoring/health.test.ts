import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { type Instant, instantOf, plus } from '../../src/lib/instant.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect } from '../../src/lib/sql.ts'
import { countWaiting } from '../../src/monitoring/count-waiting.ts'
import { recordHeartbeat } from '../../src/monitoring/heartbeat-store.ts'
import { ensureInstallationId } from '../../src/monitoring/installation-store.ts'
import { readHealth } from '../../src/monitoring/read-health.ts'
import { recordCheckRun } from '../../src/monitoring/record-check-run.ts'
import { CONDITIONS } from '../../src/monitoring/schema.ts'
import { ask, testServer } from '../support/api.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { lacks } from '../support/suite/needs.ts'
import { addDeliveries, addWebhook } from '../support/webhooks/deliveries.ts'

type Body = {
  status: string
  reads: boolean
  reasons: { code: string; message: string }[]
  degraded: { code: string; message: string }[]
  error?: { code: string }
}

describe('the health of an installation', () => {
  const db = testDatabase({ each: true })
  let server: Api | undefined
  beforeEach(async () => {
    await ensureInstallationId(db.sql)
  })
  afterEach(async () => {
    await server?.close()
    server = undefined
  })

  /** On a busy machine the database may take longer than the two seconds after which it counts as away: it is asked again. */
  async function whileThere<Read>(read: () => Promise<Read>, reasonsOf: (read: Read) => { code: string }[]) {
    for (;;) {
      const found = await read()
      if (!reasonsOf(found).some(({ code }) => code === 'database_away')) return found
    }
  }
  /** The answer of a node that has read no health yet. */
  async function firstAnswer(path: string) {
    await server?.close()
    server = await testServer(db.sql)
    const { status, json, headers } = await ask(server, path)
    return { status, headers, body: json as Body }
  }
  const readyz = (path = '/readyz') =>
    whileThere(
      () => firstAnswer(path),
      ({ body }) => body.reasons,
    )
  const health = (options: { startedAt?: Instant } = {}) =>
    whileThere(
      () => readHealth(db.sql, options),
      (found) => found.reasons,
    )
  const reasons = async () => (await health()).reasons.map(({ code }) => code)
  const degraded = async () => (await health()).degraded.map(({ code }) => code)
  async function finishedAgo(minutes: number, problems: string[] = []) {
    await db.sql`delete from check_run`
    await recordCheckRun(db.sql, { runId: randomUUID(), durationMs: 1_000, problems })
    await db.sql`update check_run set finished_at = finished_at - make_interval(mins => ${minutes})`
  }
  async function worker(conditions: Parameters<typeof recordHeartbeat>[2] = []) {
    await db.sql`delete from worker_heartbeat`
    await recordHeartbeat(db.sql, { workerId: randomUUID(), host: 'test', processId: 1 }, conditions)
  }

  it('is ready while checks finish and a worker runs', async () => {
    await worker()
    await finishedAgo(9)
    const { status, body } = await readyz()
    expect([status, body]).toEqual([200, { status: 'ready', reads: true, reasons: [], degraded: [] }])
  })

  it('is not ready when no check has finished for 10 minutes, and goes on serving reads', async () => {
    await worker()
    await finishedAgo(10)
    const { status, headers, body } = await readyz()
    expect(status).toBe(503)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(body).toMatchObject({ status: 'not_ready', reads: true, error: { code: 'unavailable' } })
    expect(body.reasons).toEqual([
      { code: 'no_recent_check', message: expect.stringMatching(/^The last check finished at/) },
    ])
    expect((await readyz('/readyz/reads')).status).toBe(200)
  })

  describe('with deliveries that wait', () => {
    const now = () => instantOf(Date.now())
    const waiting = async (minutes: number) => {
      await worker()
      await finishedAgo(1)
      const webhook = await addWebhook(db.sql, { url: 'https://a.example/', at: plus(now(), -3_600_000) })
      const [id] = await addDeliveries(db.sql, webhook, { at: plus(now(), -minutes * 60_000) })
      return { webhook, id: id! }
    }

    const counted = async () => {
      await db.sql`update waiting_deliveries set counted_at = null`
      expect(await countWaiting(db.sql)).toBe(true)
    }

    it('says so in /readyz when deliveries have been due for 37 minutes, and serves reads', async () => {
      await waiting(37)
      await counted()
      const { status, body } = await readyz()
      expect([status, body.status, body.reads]).toEqual([503, 'not_ready', true])
      expect(body.reasons).toEqual([{ code: 'deliveries_late', message: expect.stringContaining('for 37 minutes') }])
      expect((await readyz('/readyz/reads')).status).toBe(200)
    })

    it('says so when a change was not matched with webhooks 19 minutes after its eligibleAt', async () => {
      const { id } = await waiting(19)
      await db.sql`delete from delivery where delivery_id = ${id}`
      expect(await reasons()).toEqual([])
      await db.sql`update event set matched_at = null`
      expect(await reasons()).toEqual(['deliveries_late'])
    })

    it('waits 500 seconds: for the next check, and while it sends', async () => {
      const { id } = await waiting(8)
      await counted()
      expect(await reasons()).toEqual([])
      await db.sql`update delivery set due_at = clock_timestamp() - interval '501 seconds' where delivery_id = ${id}`
      await counted()
      expect(await reasons()).toEqual(['deliveries_late'])
      await db.sql`update delivery set attempts = 1, due_at = clock_timestamp() + interval '1 minute'`
      await counted()
      expect(await reasons()).toEqual([])
    })

    it('is ready while what is late is paused, or being sent, or its endpoint fails', async () => {
      const { webhook } = await waiting(37)
      const states = [
        db.sql`update delivery set claimed_at = clock_timestamp()`,
        db.sql`update webhook set state = 'paused', paused_at = now(), paused_reason = 'x' where webhook_id = ${webhook.id}`,
        db.sql`update webhook set failures_in_row = 1, first_failure_at = now() where webhook_id = ${webhook.id}`,
      ]
      for (const state of states) {
        await state
        await counted()
        expect(await reasons()).toEqual([])
        await db.sql`update delivery set claimed_at = null`
        await db.sql`update webhook set state = 'active', paused_at = null, paused_reason = null`
      }
    })

    it('is ready while those of one customer of twenty are late, and forgets a count of five minutes ago', async () => {
      await waiting(37)
      for (let n = 0; n < 19; n++) await addWebhook(db.sql, { url: 'https://a.example/', at: now() })
      await counted()
      expect(await reasons()).toEqual([])
      await db.sql`update webhook set state = 'paused', paused_at = now(), paused_reason = 'x'
        where webhook_id = (select webhook_id from webhook where webhook_id not in (select webhook_id from delivery) limit 1)`
      await counted()
      expect(await reasons()).toEqual(['deliveries_late'])
      await db.sql`update waiting_deliveries set counted_at = clock_timestamp() - interval '301 seconds'`
      expect(await reasons()).toEqual([])
    })

    it('is said by the commands of operators too', async () => {
      await waiting(37)
      await counted()
      const { said } = await command({ ...process.env, DATABASE_URL: db.url }, 'doctor')
      expect(said).toMatch(/PROBLEM +.*Deliveries are late/s)
    })
  })

  it('is not fooled by what a clock that was a day ahead recorded', async () => {
    await worker()
    await finishedAgo(10)
    await db.sql`
      insert into check_run (run_id, started_at, finished_at, problems)
      select ${randomUUID()}, at, at, '{}' from (select clock_timestamp() + interval '1 day' as at) as ahead`
    await db.sql`update worker_heartbeat set seen_at = seen_at + interval '1 day'`
    expect(await reasons()).toEqual(['no_recent_check'])
    expect(await degraded()).toEqual(['no_worker'])
    await recordCheckRun(db.sql, { runId: randomUUID(), durationMs: 1_000, problems: [] })
    await worker()
    expect(await db.sql`select from check_run where finished_at > clock_timestamp() + interval '1 second'`).toEqual([])
    expect([...(await reasons()), ...(await degraded())]).toEqual([])
  })

  it('expects the first check within 10 minutes of the first start', async () => {
    await worker()
    await db.sql`delete from check_run`
    expect(await reasons()).toEqual(['no_check_yet'])
    await db.sql`update installation set created_at = created_at - interval '10 minutes'`
    expect(await reasons()).toEqual(['no_recent_check'])
    const [row] = await db.sql<{ now: never }[]>`select clock_timestamp()::timestamptz(3) as now`
    expect((await health({ startedAt: row!.now })).reasons).toEqual([])
  })

  it('is not ready before its first check has finished, and serves reads meanwhile', async () => {
    await worker()
    await db.sql`delete from installation`
    expect(await reasons()).toEqual(['no_check_yet'])
    await ensureInstallationId(db.sql)
    const { status, body } = await readyz()
    expect([status, body.status, body.reads]).toEqual([503, 'not_ready', true])
    expect(body.reasons).toEqual([
      { code: 'no_check_yet', message: expect.stringMatching(/^No check has finished yet\. /) },
    ])
    expect((await readyz('/readyz/reads')).status).toBe(200)
    await finishedAgo(0)
    expect((await readyz()).status).toBe(200)
  })

  it('expects the first worker within 45 seconds of a start', async () => {
    await finishedAgo(0)
    await db.sql`delete from worker_heartbeat`
    const [row] = await db.sql<{ before: never; now: never }[]>`
      select (now - interval '45 seconds')::timestamptz(3) as before, now::timestamptz(3) as now
      from clock_timestamp() as now`
    const codes = async (startedAt: never) => (await health({ startedAt })).degraded.map(({ code }) => code)
    expect([await codes(row!.now), await codes(row!.before)]).toEqual([[], ['no_worker']])
  })

  it('reports what workers found, once, and that none has been seen for 45 seconds', async () => {
    await finishedAgo(0)
    await worker([{ code: 'namespace_missing', message: 'Temporal has no namespace x.' }])
    await recordHeartbeat(db.sql, { workerId: randomUUID(), host: 'other', processId: 2 }, [
      { code: 'namespace_missing', message: 'Temporal has no namespace x.' },
      { code: 'temporal_away', message: 'Temporal does not answer.' },
    ])
    expect(await reasons()).toEqual(['namespace_missing'])
    expect(await degraded()).toEqual(['temporal_away'])
    await db.sql`update worker_heartbeat set seen_at = seen_at - interval '45 seconds'`
    expect([await reasons(), await degraded()]).toEqual([[], ['no_worker']])
  })

  it('reports the problems of the last check, and a stamp that is to come', async () => {
    await worker()
    await finishedAgo(1, ['Delivering failed: no answer.'])
    expect(await degraded()).toEqual(['check_problems'])
    await finishedAgo(1)
    await db.sql`update publication_clock set last_stamp = clock_timestamp() + interval '1 day'`
    expect(await degraded()).toEqual(['stamps_ahead'])
    await db.sql`update publication_clock set last_stamp = clock_timestamp()`
  })

  it('reports a read-only database: reads need their rate limits', async () => {
    await worker()
    await finishedAgo(0)
    const sql = connect(db.url, { max: 2 })
    await sql`select 1`
    await db.sql.unsafe(`alter database ${db.name} set default_transaction_read_only = on`)
    const readOnly = connect(db.url, { max: 2 })
    const found = await readHealth(readOnly)
    await Promise.all([sql.end(), readOnly.end()])
    await db.sql.unsafe(`alter database ${db.name} reset default_transaction_read_only`)
    expect(found).toMatchObject({ ready: false, reads: false, reasons: [{ code: 'database_read_only' }] })
  })

  it('reports a database that is away', async () => {
    const away = connect('postgres://nobody@127.0.0.1:1/none', { max: 1 })
    const message = expect.stringMatching(/^The database does not answer: (?!Error)/)
    const reasons = [{ code: 'database_away', message }]
    expect(await readHealth(away)).toMatchObject({ ready: false, reads: false, reasons })
    await away.end()
  })
})

it('every condition has a line in docs/monitor.md that says what to do', async () => {
  const docs = await readFile(new URL('../../docs/monitor.md', import.meta.url), 'utf8')
  const [section] = /^## Is it working\n[\s\S]*?(?=^## )/m.exec(docs)!
  const reasons = section.split('\n').filter((line) => line.startsWith('| `'))
  const degraded = /^Degraded \(200\): [\s\S]*?\n\n/m.exec(section)![0]
  const named = (text: string) => [...text.matchAll(/`([a-z]+_[a-z_]+)`/g)].map(([, code]) => code!)
  const codes = (severity: string) => Object.keys(CONDITIONS).filter((code) => CONDITIONS[code as never] === severity)
  expect(reasons.flatMap((line) => named(line.split('|')[1]!)).sort()).toEqual(codes('not_ready').sort())
  expect([...new Set(named(degraded))].filter((code) => code !== 'no_recent_check').sort()).toEqual(
    codes('degraded').sort(),
  )
})

describe.skipIf(lacks('the right to mount a disk'))(
  'the health of an installation whose disk is full (needs the right to mount a disk)',
  { timeout: 120_000 },
  () => {
    it('is not ready, and says why, until there is room again', async () => {
      const disk = mkdtempSync(join(tmpdir(), 'pricetape-disk-'))
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', disk])
      const filler = join(disk, 'filler')
      try {
        const options = { folder: join(disk, 'postgres'), logFile: join(disk, 'postgres.log') }
        await using postgres = await startPostgres({ ...options, password: 'postgres', progress: silent })
        const sql = connect(postgres.url, { max: 4 })
        await migrate(sql)
        // A check has not run here, and is not expected just after a start.
        const startedAt = instantOf(Date.now())
        expect(await readHealth(sql, { startedAt })).toMatchObject({ ready: true, reads: true, reasons: [] })
        execFileSync('sh', ['-c', `cat /dev/zero > ${filler} 2>&1 || true`])
        expect(await readHealth(sql, { startedAt })).toMatchObject({
          ready: false,
          reads: false,
          reasons: [
            { code: 'disk_full', message: expect.stringMatching(/^The database’s disk is full: .*No space left/) },
          ],
        })
        rmSync(filler)
        expect(await readHealth(sql, { startedAt })).toMatchObject({ ready: true, reads: true, reasons: [] })
        await sql.end()
      } finally {
        execFileSync('umount', ['-l', disk])
        rmSync(disk, { recursive: true, force: true })
      }
    })
  },
)
