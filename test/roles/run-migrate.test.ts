import { randomBytes } from 'node:crypto'
import { createServer, connect as dial } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { launch, NO_SOURCES, newcomer } from '../support/installation.ts'
import { freePort } from '../support/servers/ports.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

const SECOND = 1_000
/** The advisory lock under which migrations are applied. */
const MIGRATION_LOCK = 727_001

describe('--role migrate', () => {
  const db = testDatabase()
  let here: Awaited<ReturnType<typeof newcomer>>
  beforeAll(async () => {
    here = await newcomer()
    Object.assign(here.env, {
      DATABASE_URL: db.url,
      LOG_LEVEL: 'warn',
      PRICETAPE_SECRET_KEY: randomBytes(32).toString('base64'),
      PRICETAPE_SOURCES: NO_SOURCES,
    })
  })
  afterAll(() => here.remove())

  it('ends at once with status 130 when it is stopped before it is done', async () => {
    const holder = await db.sql.reserve()
    await holder`select pg_advisory_lock(${MIGRATION_LOCK})`
    try {
      const started = await launch('src/main.js', ['--role', 'migrate'], here.env)
      const waiting = async () =>
        expect(
          await db.sql`
          select from pg_locks
          where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())
        `,
        ).toHaveLength(1)
      await vi.waitFor(waiting, { timeout: 30 * SECOND, interval: 50 })
      const asked = Date.now()
      expect(await started.stop('SIGTERM'), started.said()).toBe(130)
      expect(Date.now() - asked).toBeLessThan(allowedMs(8 * SECOND))
    } finally {
      await holder`select pg_advisory_unlock(${MIGRATION_LOCK})`
      holder.release()
    }
  })

  it.each([
    ['password', /password authentication failed .*Check DATABASE_URL\./, (url: URL) => (url.password = 'another')],
    ['user', /password authentication failed .*Check DATABASE_URL\./, (url: URL) => (url.username = 'nobody')],
    ['database', /database "absent" does not exist\. Check DATABASE_URL\./, (url: URL) => (url.pathname = '/absent')],
  ])('ends at once where the database knows no such %s', async (_, message, change) => {
    const url = new URL(db.url)
    change(url)
    const started = await launch('src/main.js', ['--role', 'migrate'], { ...here.env, DATABASE_URL: url.href })
    try {
      expect(await Promise.race([started.exited, sleep(60 * SECOND, 'waits', { ref: false })])).toBe(1)
      expect(started.said()).toMatch(message)
      expect(started.said()).not.toContain('Still waiting')
    } finally {
      started.process.kill('SIGKILL')
    }
  })

  it('waits for a database that does not answer yet, and says so', async () => {
    const port = await freePort()
    const target = new URL(db.url)
    const url = new URL(db.url)
    url.port = String(port)
    const started = await launch('src/main.js', ['--role', 'migrate'], { ...here.env, DATABASE_URL: url.href })
    await vi.waitFor(() => expect(started.said()).toContain('Still waiting: The database at'), {
      timeout: 60 * SECOND,
      interval: 100,
    })
    const proxy = createServer((client) => {
      const server = dial(Number(target.port), target.hostname)
      client.on('error', () => server.destroy())
      server.on('error', () => client.destroy())
      client.pipe(server).pipe(client)
    })
    proxy.listen(port, target.hostname)
    try {
      expect(await started.exited, started.said()).toBe(0)
      expect(started.said()).toContain('The database is ready.')
    } finally {
      proxy.close()
    }
  })
})
