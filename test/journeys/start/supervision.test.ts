import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect } from '../../../src/lib/sql.ts'
import {
  NO_SOURCES,
  newcomer,
  readRunningFile,
  type StartedInstallation,
  startUntilReady,
  untilGone,
} from '../../support/installation.ts'
import { childrenOf, environmentOf } from '../../support/servers/processes.ts'
import { startReceiver } from '../../support/servers/receiver.ts'
import { lacks } from '../../support/suite/needs.ts'
import { onRunning } from '../../support/suite/running.ts'

/** Finding a process reads all of /proc: it is not done more often than this. */
const WAITING = { timeout: 60_000, interval: 250 }

const PARTS = { api: '--role api', worker: '--role worker', postgres: '/bin/postgres -D', temporal: 'server start-dev' }
type Part = keyof typeof PARTS

describe.skipIf(lacks('Linux'))('npm start, supervising (needs Linux)', () => {
  let here: Awaited<ReturnType<typeof newcomer>>
  let running: StartedInstallation
  let key: string

  beforeAll(async () => {
    here = await newcomer()
    Object.assign(here.env, {
      PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true',
      // Without sources no history is imported; start.test.ts proves that it is.
      PRICETAPE_SOURCES: NO_SOURCES,
      SMTP_URL: 'smtp://user:password@mail.example.com',
      PRICETAPE_MAIL_FROM: 'prices@example.com',
      PRICETAPE_OLD_SECRET_KEYS: `${'A'.repeat(43)}=`,
      AWS_SECRET_ACCESS_KEY: 'of someone else',
    })
    running = await startUntilReady(here.env)
    key = /ptk_[\w-]+/.exec(running.said())![0]
  })
  beforeEach(async () => {
    const { exitCode, signalCode } = running.process
    if (exitCode !== null || signalCode !== null) running = await startUntilReady(here.env)
  })
  afterAll(async () => {
    await running.stop('SIGKILL')
    expect(await untilGone(here.folder)).toEqual([])
    await here.remove()
  })

  const pidOf = async (part: Part): Promise<number | undefined> =>
    (await childrenOf(running.process.pid!)).find(
      ({ command }) => command.includes(PARTS[part]) && !command.startsWith('/bin/sh'),
    )?.pid

  const read = async (): Promise<number> => {
    const url = `http://127.0.0.1:${here.env.PORT}/v1/prices/history?limit=1`
    const signal = AbortSignal.timeout(5_000)
    return fetch(url, { headers: { authorization: `Bearer ${key}` }, signal }).then(
      (answer) => answer.status,
      () => 0,
    )
  }

  async function killAndWait(part: Part): Promise<void> {
    const before = await pidOf(part)
    expect(before).toBeDefined()
    process.kill(before!, 'SIGKILL')
    await vi.waitFor(async () => expect([before, undefined]).not.toContain(await pidOf(part)), WAITING)
  }

  /** The commands that do this for an operator are proven in start.test.ts. */
  async function delivers(): Promise<void> {
    const receiver = await startReceiver()
    try {
      const report = await onRunning(here.data, async (installation) => {
        await installation.queueTest(receiver.url)
        return installation.check()
      })
      expect(report.problems, running.said()).toEqual([])
      expect(receiver.requests).toHaveLength(1)
    } finally {
      await receiver.close()
    }
  }

  it('starts the API again when it is killed, and leaves the rest running', async () => {
    const worker = await pidOf('worker')
    await killAndWait('api')
    await vi.waitFor(async () => expect(await read()).toBe(200), WAITING)
    expect(await pidOf('worker')).toBe(worker)
    expect(running.said()).toMatch(/The API ended \(SIGKILL.*\)\. It is started again in 0\.5 s\./)
  })

  it('starts the worker again when it is killed, and delivers', async () => {
    await killAndWait('worker')
    expect(running.said()).toMatch(/The worker ended \(SIGKILL.*\)\. It is started again in/)
    await delivers()
  })

  it('starts PostgreSQL again when it is killed; API and worker stay and go on', async () => {
    const [api, worker] = [await pidOf('api'), await pidOf('worker')]
    await killAndWait('postgres')
    await vi.waitFor(async () => expect(await read()).toBe(200), WAITING)
    expect(running.said()).toMatch(/PostgreSQL ended \(SIGKILL.*\)\. It is started again in/)
    expect([await pidOf('api'), await pidOf('worker')], running.said()).toEqual([api, worker])
    await delivers()
  })

  it('answers 503 with retry-after while PostgreSQL is away', async () => {
    const postgres = (await pidOf('postgres'))!
    process.kill(postgres, 'SIGKILL')
    const seen = new Set<string>()
    await vi.waitFor(
      async () => {
        const url = `http://127.0.0.1:${here.env.PORT}/v1/providers`
        const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
        seen.add(`${answer.status} ${answer.headers.get('retry-after') !== null}`)
        expect(seen).toContain('503 true')
      },
      { timeout: 20_000, interval: 20 },
    )
    await vi.waitFor(async () => expect(await read()).toBe(200), WAITING)
    expect([...seen].filter((status) => !/^(503 true|200 false|429 true)$/.test(status))).toEqual([])
  })

  it('starts Temporal again when it is killed, and delivers', async () => {
    await killAndWait('temporal')
    expect(running.said()).toMatch(/Temporal ended \(SIGKILL.*\)\. It is started again in/)
    await delivers()
  })

  it('starts Temporal on a new store when its own is damaged while it is away, and delivers', async () => {
    const before = (await pidOf('temporal'))!
    process.kill(before, 'SIGKILL')
    const store = join(here.data, 'temporal.db')
    for (const end of ['-wal', '-shm']) await rm(`${store}${end}`, { force: true })
    // A database without tables: what is left when the server is killed, or its disk is full, while it makes the store.
    const empty = await readFile(store).then((bytes) => bytes.subarray(0, 4096))
    empty.fill(0, 100)
    empty.writeUInt8(13, 100)
    empty.writeUInt16BE(4096, 105)
    empty.writeUInt32BE(1, 28)
    await writeFile(store, empty)
    await vi.waitFor(async () => expect([before, undefined]).not.toContain(await pidOf('temporal')), WAITING)
    await vi.waitFor(() => expect(running.said()).toMatch(/Temporal’s store was damaged and is kept as/), WAITING)
    await delivers()
  })

  it('gives each process only the environment it needs', async () => {
    const names = async (part: Part) => environmentOf((await pidOf(part))!)
    const ours = /^(PRICETAPE_|DATABASE_URL|SMTP_|AWS_)/
    expect((await names('temporal')).filter((name) => ours.test(name))).toEqual([])
    expect((await names('postgres')).sort()).toEqual(expect.arrayContaining(['LC_ALL', 'PATH', 'TZ']))
    expect((await names('postgres')).filter((name) => ours.test(name))).toEqual([])
    const api = await names('api')
    expect(api).toEqual(expect.arrayContaining(['DATABASE_URL', 'PORT']))
    for (const secret of ['PRICETAPE_OLD_SECRET_KEYS', 'AWS_SECRET_ACCESS_KEY']) expect(api).not.toContain(secret)
    const worker = await names('worker')
    expect(worker).toEqual(expect.arrayContaining(['DATABASE_URL', 'PRICETAPE_SECRET_KEY', 'SMTP_URL']))
    for (const secret of ['PRICETAPE_OLD_SECRET_KEYS', 'AWS_SECRET_ACCESS_KEY', 'PORT'])
      expect(worker).not.toContain(secret)
  })

  it('keeps every file readable by its owner alone', async () => {
    const entries = await readdir(here.data, { recursive: true, withFileTypes: true })
    const open = []
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      const { mode } = await stat(path).catch(() => ({ mode: 0 }))
      if ((mode & 0o077) !== 0) open.push(`${path} ${(mode & 0o777).toString(8)}`)
    }
    expect(entries.map((entry) => entry.name)).toEqual(expect.arrayContaining(['temporal.db', 'temporal.log']))
    expect(open).toEqual([])
  })

  it('connects as a role that is not a superuser, owns its database and may back it up', async () => {
    const sql = connect((await readRunningFile(here.data)).databaseUrl, { max: 1 })
    try {
      const rows = await sql`
        select rolsuper as super, rolcreatedb as createdb, rolcreaterole as createrole, rolreplication as replication
        from pg_roles where rolname = current_user`
      // A backup holds the log of the server by a replication slot.
      expect(rows).toEqual([{ super: false, createdb: false, createrole: false, replication: true }])
      await expect(sql`select pg_read_file('PG_VERSION')`).rejects.toThrow('permission denied')
    } finally {
      await sql.end()
    }
  })

  it('leaves no process behind when it is killed, and checks again soon after the next start', async () => {
    await onRunning(here.data, (installation) => installation.startCheck())
    const pids = (await childrenOf(running.process.pid!)).map(({ pid }) => pid)
    for (const pid of pids) killWhatLives(pid)
    await running.stop('SIGKILL')
    expect(await untilGone(here.folder)).toEqual([])
    // As if the trace of the dead server now named a process of someone else.
    await writeFile(join(here.data, 'lock'), JSON.stringify({ pid: process.pid, identity: 'of another boot' }))
    running = await startUntilReady(here.env)
    expect(await read()).toBe(200)
    const began = Date.now()
    const report = await onRunning(here.data, (installation) => installation.check())
    expect(report.problems).toEqual([])
    expect(Date.now() - began).toBeLessThan(40_000)
  })

  it('stops within 15 seconds while receivers are slow, with exit code 0 and no process left', async () => {
    const receiver = await startReceiver()
    receiver.answer(() => ({ status: 200, delayMs: 4_000 }))
    await onRunning(here.data, async (installation) => {
      for (let webhook = 1; webhook <= 3; webhook++) await installation.queueTest(receiver.url)
      await installation.startCheck()
    })
    await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(0), WAITING)
    const began = Date.now()
    expect(await running.stop('SIGTERM')).toBe(0)
    expect(Date.now() - began).toBeLessThan(15_000)
    expect(await untilGone(here.folder, 0)).toEqual([])
    await receiver.close()
  })
})

/** Kills a process that may have ended since it was listed. */
function killWhatLives(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
