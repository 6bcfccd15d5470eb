import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startVerifyingReceiver } from '../../../src/cli/webhooks/receiver.ts'
import { command } from '../../support/command.ts'
import { newcomer, type StartedInstallation, startUntilReady, untilGone } from '../../support/installation.ts'
import { freePort } from '../../support/servers/ports.ts'

type History = { asOf: string; prices: { resource: string; price: string; recordedAt: string }[] }

describe('npm start', () => {
  let here: Awaited<ReturnType<typeof newcomer>>
  let running: StartedInstallation
  let key: string
  let firstScreen: string
  const url = () => `http://127.0.0.1:${here.env.PORT}`
  const history = async (query: string): Promise<History> => {
    const headers = { authorization: `Bearer ${key}` }
    // A machine that is too busy to answer in time says 503, and that it may be asked again.
    const answered = async () => {
      const answer = await fetch(`${url()}/v1/prices/history?${query}`, { headers })
      expect(answer.status, await answer.clone().text()).toBe(200)
      return (await answer.json()) as History
    }
    return vi.waitFor(answered, { timeout: 60_000, interval: 1_000 })
  }

  beforeAll(async () => {
    here = await newcomer()
    here.env.PRICETAPE_ALLOW_PRIVATE_ENDPOINTS = 'true'
    // From the sources, as npm start does it; later starts are of the compiled program.
    running = await startUntilReady(here.env, [], 'src/main.ts')
    firstScreen = running.said()
    key = /ptk_[\w-]+/.exec(running.said())![0]
  })
  afterAll(async () => {
    await running.stop('SIGKILL')
    expect(await untilGone(here.folder)).toEqual([])
    await here.remove()
  })

  it('prints where everything is, a key shown once and a ready curl', () => {
    expect(firstScreen).toContain(`http://localhost:${here.env.PORT}`)
    expect(firstScreen).toContain(`http://localhost:${here.env.PRICETAPE_TEMPORAL_UI_PORT}`)
    expect(firstScreen).toMatch(/^ +KEY=ptk_[\w-]{43}$/m)
    expect(firstScreen).toMatch(/-d asOf=20\d\d-\d\d-\d\dT00:00:00Z$/m)
  })

  it('answers real prices as they stood at two instants months apart, differently', async () => {
    const [then, now] = await Promise.all([
      history('providers=deepseek&asOf=2025-12-01T00:00:00Z'),
      history('providers=deepseek'),
    ])
    expect(then.prices.length).toBeGreaterThan(0)
    expect(then.prices.every((row) => row.recordedAt <= then.asOf)).toBe(true)
    expect(now.prices.length).toBeGreaterThan(then.prices.length)
  })

  it('serves the Temporal UI, and to this machine alone', async () => {
    expect((await fetch(`http://127.0.0.1:${here.env.PRICETAPE_TEMPORAL_UI_PORT}/`)).status).toBe(200)
    const places = JSON.parse(await readFile(join(here.data, 'places.json'), 'utf8')) as { temporalPid: number }
    const listening = await listenersOf(places.temporalPid)
    expect(listening.length).toBeGreaterThan(1)
    expect(listening.filter((address) => address !== '0100007F')).toEqual([])
  })

  it('keeps its keys readable by their owner alone', async () => {
    for (const file of ['secrets.json', 'running.json', 'lock'])
      expect((await stat(join(here.data, file))).mode & 0o077).toBe(0)
  })

  it('says that it runs already, and where, when it is started again', async () => {
    const again = { ...here.env, PORT: String(await freePort()) }
    const refused = startUntilReady(again)
    await expect(refused).rejects.toThrow(`runs already on ${here.data}`)
    await expect(refused).rejects.toThrow(`http://localhost:${here.env.PORT}`)
  })

  it('lets an operator subscribe a receiver and see a signed delivery verified', async () => {
    const port = await freePort()
    const create = [
      '--name',
      'Mine',
      '--url',
      `http://127.0.0.1:${port}/`,
      '--providers',
      'openai,google',
      '--events',
      'price.changed',
    ]
    // The command's own shell does not allow private endpoints: what the installation was started with counts.
    const shell = { ...here.env, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: '' }
    const { id, secret } = JSON.parse((await command(shell, 'webhook', 'create', ...create, '--json')).said)
    const lines: string[] = []
    const receiver = await startVerifyingReceiver({
      port,
      secrets: [secret],
      json: true,
      write: (line) => lines.push(line),
    })
    const tested = JSON.parse((await command(shell, 'webhook', 'test', id, '--json')).said)
    const checked = await command(shell, 'check', '--json')
    await receiver.close()
    expect(checked.code, checked.said).toBe(0)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { outcome: 'accepted', id: tested.eventId, type: 'webhook.test' },
    ])
    const log = JSON.parse((await command(shell, 'delivery', 'list', id, '--json')).said)
    expect(log.deliveries).toMatchObject([
      { eventId: tested.eventId, status: 'succeeded', attempts: [{ status: 200 }] },
    ])
  })

  it('is backed up while it runs, into a new folder', async () => {
    const target = join(here.folder, 'backup')
    const made = await command(here.env, 'backup', target, '--json')
    expect(made.code, made.said).toBe(0)
    const { folder, cluster, bytes } = JSON.parse(made.said)
    expect(folder).toBe(join(target, 'postgres'))
    expect((await stat(join(cluster, 'postmaster.pid'))).isFile()).toBe(true)
    expect(bytes).toBeGreaterThan(10_000_000)
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['PG_VERSION', 'backup_label', 'recovery.signal']))
    const again = await command(here.env, 'backup', target)
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('is not empty. Name a new folder')])
    const own = await command({ ...here.env, DATABASE_URL: 'postgres://db.example/prices' }, 'backup', `${target}-2`)
    expect([own.code, own.said]).toEqual([1, expect.stringContaining('see docs/backup.md')])
    const text = await command(here.env, 'backup', `${target}-3`)
    expect(text.said).toMatch(/^\d+ MB in /)
  })

  it('stops everything on Ctrl-C, and goes on where it stopped, with another database password and another secret key', async () => {
    const create = [
      '--name',
      'Kept',
      '--url',
      'http://127.0.0.1:9/',
      '--providers',
      'openai',
      '--events',
      'price.changed',
    ]
    expect(await command(here.env, 'webhook', 'create', ...create)).toMatchObject({ code: 0 })
    const passwordOf = async () => JSON.parse(await readFile(join(here.data, 'secrets.json'), 'utf8')).postgresPassword
    const password = await passwordOf()
    expect(await command(here.env, 'secrets', 'database-password')).toMatchObject({ code: 0 })
    expect(await passwordOf()).toBe(password)
    const PRICETAPE_SECRET_KEY = randomBytes(32).toString('base64')
    expect(await command({ ...here.env, PRICETAPE_SECRET_KEY }, 'secrets', 'reseal')).toMatchObject({ code: 0 })
    expect(await running.stop('SIGINT')).toBe(0)
    expect(running.said()).toMatch(/Stopped\.\n$/)
    expect(await untilGone(here.folder, 0)).toEqual([])
    running = await startUntilReady(here.env)
    expect(await passwordOf()).not.toBe(password)
    const kept = JSON.parse(await readFile(join(here.data, 'secrets.json'), 'utf8'))
    expect(kept).toEqual({ postgresPassword: kept.postgresPassword, secretKey: PRICETAPE_SECRET_KEY })
    expect(running.said()).toMatch(/Webhooks +[1-9]/)
    expect(running.said()).not.toContain('prices recorded')
    expect((await history('providers=openai&limit=1')).prices).toHaveLength(1)
  })
})

/** The addresses, as /proc prints them, on which a process listens. */
async function listenersOf(pid: number): Promise<string[]> {
  const { readdir, readlink } = await import('node:fs/promises')
  const links = await Promise.all(
    (await readdir(`/proc/${pid}/fd`)).map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')),
  )
  const sockets = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/${pid}/net/${name}`, 'utf8')))
  const rows = tables.flatMap((table) => table.split('\n').map((row) => row.trim().split(/\s+/)))
  return rows.filter((row) => row[3] === '0A' && sockets.has(row[9] ?? '')).map((row) => row[1]!.split(':')[0]!)
}
