import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { snippet, snippetsOf } from '../support/code/snippets.ts'
import { newcomer, processesOn, type StartedInstallation, startUntilReady, untilGone } from '../support/installation.ts'
import { connectMcp } from '../support/mcp.ts'
import { freePort, ownPorts } from '../support/servers/ports.ts'
import { shared } from '../support/shared.ts'
import { lacks } from '../support/suite/needs.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const CHECKED_WITHIN = { timeout: 90_000, interval: 250 }

type Answer = { asOf: string; prices: { provider: string; resource: string; price: string; dimension: string }[] }

let here: Awaited<ReturnType<typeof newcomer>>
let running: StartedInstallation
let screen: string
let key: string
let metricsPort: number
let apiMemoryMb: number
/** Where commands are typed: without sources, as an installed package is. Loading those takes most of a command's time. */
let installed: string
/** What was shown or typed meanwhile and is no one else's business. */
const secrets = new Set<string>()

beforeAll(async () => {
  here = await newcomer()
  // Each process has the next one.
  metricsPort = await ownPorts(3)
  here.env.PRICETAPE_METRICS_PORT = String(metricsPort)
  here.env.PRICETAPE_ALLOW_PRIVATE_ENDPOINTS = 'true'
  Object.assign(here.env, { LOG_LEVEL: 'debug', LOG_FORMAT: 'json' })
  running = await startUntilReady(here.env)
  apiMemoryMb = await memoryMb((await pidsOfRoles()).api!)
  screen = running.printed('stdout')
  key = /ptk_[\w-]+/.exec(screen)![0]
  installed = join(here.folder, 'installed')
  await mkdir(installed)
  await symlink(await shared('/compiled'), join(installed, 'dist'))
  await symlink(join(ROOT, 'node_modules'), join(installed, 'node_modules'))
  for (const name of ['bin', 'package.json']) await cp(join(ROOT, name), join(installed, name), { recursive: true })
})
afterAll(async () => {
  await running.stop('SIGKILL')
  await untilGone(here.folder)
  expect(await secretsIn(await traces())).toEqual([])
  await here.remove()
})

/** Everything that this run has left behind besides the database: logs, those of its servers, and the histories of workflows. */
async function traces(): Promise<Map<string, string>> {
  const found = new Map([['the log', running.printed('stderr')]])
  const names = await readdir(here.data, { recursive: true })
  for (const name of names.filter((name) => /^(temporal\.db|logs\/)/.test(name)))
    found.set(name, await readFile(join(here.data, name), 'latin1'))
  for (const expected of ['temporal.db', 'logs/postgres.log', 'logs/temporal.log'])
    expect([...found.keys()]).toContain(expected)
  // What is looked for could be found: the log and the histories are of this run.
  expect(found.get('the log')).toMatch(/^\{"level":/m)
  const histories = [...found].filter(([name]) => name.startsWith('temporal.db')).map(([, text]) => text)
  expect(histories.join('')).toContain('check')
  const subscribed = [...secrets].some((secret) => secret.startsWith('whsec_'))
  if (subscribed) expect(histories.join('')).toContain('delivery/webhook.test/')
  return found
}

async function secretsIn(found: Map<string, string>): Promise<string[]> {
  const { secretKey, ...others } = JSON.parse(await readFile(join(here.data, 'secrets.json'), 'utf8'))
  const own = [secretKey, ...Object.values(others), await readFile(join(here.data, 'mcp-key'), 'utf8').catch(() => '')]
  const all = [
    key,
    /#token=([\w-]+)/.exec(screen)![1]!,
    ...secrets,
    ...(own as string[]).map((text) => String(text).trim()),
  ]
  const looked = all.filter((secret) => secret.length >= 16)
  expect(looked.length).toBeGreaterThanOrEqual(4)
  return looked.flatMap((secret) =>
    [...found].flatMap(([name, text]) => (text.includes(secret) ? [`${secret} in ${name}`] : [])),
  )
}

const roleLines = async () => (await processesOn(here.folder)).filter((line) => line.includes('--role'))
const pidsOfRoles = async () =>
  Object.fromEntries((await roleLines()).map((line) => [/--role (\w+)/.exec(line)![1]!, line.split(' ')[0]!]))
const memoryMb = async (pid: string) => Number((await run('ps', ['-o', 'rss=', '-p', pid])).stdout) / 1_024
const read = (path: string) =>
  fetch(`http://127.0.0.1:${here.env.PORT}${path}`, { headers: { authorization: `Bearer ${key}` } })

/** Whatever the start screen and the documentation print to be typed is typed, into a shell. */
describe('the examples run as printed', { timeout: 300_000 }, () => {
  const shell = (script: string): ChildProcess =>
    spawn('bash', ['-ec', script], { cwd: installed, env: { ...here.env, PRICETAPE_API_KEY: key }, detached: true })
  const typed = async (script: string) => {
    const child = shell(script)
    let [out, all] = ['', '']
    child.stdout!.on('data', (chunk) => {
      out += chunk
      all += chunk
    })
    child.stderr!.on('data', (chunk) => {
      all += chunk
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect(code, all).toBe(0)
    return out
  }
  /**
   * Examples are typed faster than people type: the history answers 2 of them a second (429). A busy machine answers 503
   * while it publishes. Both say to send it again.
   */
  const answered = async (script: string) => {
    let out = ''
    const sent = async () => {
      out = await typed(script)
      return out
    }
    await expect.poll(sent, { timeout: 120_000, interval: 2_000 }).not.toContain('"error"')
    return out
  }
  /** The same command, without `npx`, which takes longer than most commands: it is typed where a webhook is created. */
  const withoutNpx = (script: string) => script.replaceAll('npx pricetape', 'node bin/pricetape.js')
  /** The shell examples of a page, with what differs between installations filled in. */
  const blocks = async (page: string) => {
    const found = (await snippetsOf(page)).flatMap(({ language, text }) =>
      language === 'sh'
        ? [text.replaceAll('localhost:8080', `localhost:${here.env.PORT}`).replaceAll('ptk_…', key)]
        : [],
    )
    expect(found.length).toBeGreaterThan(0)
    return found
  }

  it('the start screen: what a model cost at two instants, and who sells another for how much', async () => {
    const shown = screen.slice(screen.indexOf('KEY='), screen.indexOf('Looking for'))
    const commands = shown.split('\n').filter((line, n) => n === 0 || line.startsWith('    '))
    const addresses = /#token=/
    expect(
      screen.split('\n').filter((line) => line.length > 80 && !line.includes(here.folder) && !addresses.test(line)),
    ).toEqual([])
    const [then, now, ...offers] = (await answered(commands.join('\n'))).split('\n')
    const [before, after] = [then!, now!].map((text) => (JSON.parse(text) as Answer).prices)
    expect(before).toMatchObject([{ provider: 'google', resource: 'gemini-3.6-flash', dimension: 'output_tokens' }])
    expect([...before!, ...after!].map(({ price }) => price)).toEqual(['0.0000075', '0.00000375'])
    expect(screen).toContain('0.0000075 USD per output token until 2026-09-23, 0.00000375 now:')
    const [, sellers, provider, price] = /(\d+) providers do. ([\w-]+), who makes it, asks ([\d.]+) USD/.exec(screen)!
    expect(offers).toContain(`${price} ${provider}`)
    expect(new Set(offers.filter(Boolean).map((line) => line.split(' ')[1])).size).toBe(Number(sellers))
  })

  it('README, the first answer: the start screen says it', async () => {
    const printed = await snippet('README.md', 'What does gemini-3.6-flash cost at google?')
    for (const line of printed.split('\n').filter((line) => line.trim() !== '…')) expect(screen).toContain(line)
  })

  it('README, a request: the answer is the one printed', async () => {
    const [request] = await blocks('README.md')
    const printed = JSON.parse(await snippet('README.md', '"nextCursor": null'))
    expect(JSON.parse(await answered(request!))).toEqual(printed)
  })

  it('README, a webhook: a test event arrives and its signature is right', async () => {
    const block = (await blocks('README.md')).find((text) => text.includes('webhook create'))!
    const port = String(await freePort())
    const [create, receive, test] = block.replaceAll('9000', port).trim().split('\n')
    const made = await typed(create!)
    const secret = /whsec_[\w+/=]+/.exec(made)![0]
    secrets.add(secret)
    const id = /[\da-f]{8}-[\da-f-]{27}/.exec(made)![0]
    // The page for receivers shows the same command.
    expect((await blocks('docs/use/receiving-webhooks.md'))[0]!.trim().replace('9000', port)).toBe(
      receive!.split('   ')[0]!.trim(),
    )
    const receiver = shell(`exec ${withoutNpx(receive!).replace('whsec_…', secret)}`)
    let heard = ''
    for (const stream of [receiver.stdout!, receiver.stderr!])
      stream.on('data', (chunk) => {
        heard += chunk
      })
    try {
      await expect.poll(() => heard, { timeout: 60_000 }).toContain(port)
      // An attempt that a busy machine did not answer in time, or that the check of every ten minutes made, is another's:
      // tests of one minute are one event, so the next can take that long.
      const tests = async () =>
        expect(await typed(withoutNpx(test!).replace('ID', id))).toContain('1 attempt made: 1 succeeded')
      await vi.waitFor(tests, { timeout: 200_000, interval: 5_000 })
      await expect.poll(() => heard).toContain('webhook.test')
    } finally {
      process.kill(-receiver.pid!, 'SIGKILL')
    }
  })

  it('README, health', async () => {
    const block = (await blocks('README.md')).find((text) => text.includes('doctor'))!
    // A new installation is ready once its first check has finished.
    await vi.waitFor(async () => expect((await read('/readyz')).status).toBe(200), CHECKED_WITHIN)
    expect(await typed(withoutNpx(block))).toContain('"status":"ready"')
  })

  it('docs/use/accounts.md: an account is created, signs in, and makes an API key', async () => {
    const [routes] = await blocks('docs/use/accounts.md')
    const token = /#token=([\w-]+)/.exec(screen)![1]!
    const filled = routes!
      .replace('TOKEN', token)
      .replaceAll('"password":"…"', '"password":"correct horse battery"')
      .replaceAll('"email":"…"', '"email":"olga@example.com"')
    const printed = await typed(`cd ${here.folder}\n${filled}`)
    const made = printed.slice(printed.lastIndexOf('ptk_') - 500)
    expect(made).toMatch(/"ptk_[\w-]{43}"/)
    secrets.add(/ptk_[\w-]{43}/.exec(made)![0]).add('correct horse battery')
    for (const [, cookie] of (await readFile(join(here.folder, 'cookies'), 'utf8')).matchAll(/\tpricetape\t(\S+)/g))
      secrets.add(cookie!)
    expect(made).toContain('"ci"')
  })

  it('docs/use/reading-prices.md', async () => {
    const [json, csv] = await blocks('docs/use/reading-prices.md')
    expect(JSON.parse(await answered(json!))).toMatchObject({ prices: [expect.any(Object), expect.any(Object)] })
    const file = join(here.folder, 'prices.csv')
    await answered(`${csv!.replace('prices.csv', file)}\ncat ${file}`)
    expect((await readFile(file, 'utf8')).split(',').slice(0, 3)).toEqual(['provider', 'source', 'resource'])
  })
})

describe('the installation that they are typed at', { timeout: 300_000 }, () => {
  it('runs as compiled JavaScript, and its API rests within 150 MB', async () => {
    const lines = await roleLines()
    expect(lines.map((line) => line.replace(/.*--role (\w+).*/, '$1')).sort()).toEqual(['api', 'worker'])
    for (const line of lines) expect(line).toMatch(/compiled-\d+\/src\/main\.js/)
    for (const line of lines) expect(line).not.toContain('tsx')
    expect(apiMemoryMb).toBeLessThanOrEqual(150)
  })

  it.skipIf(lacks('Linux'))(
    'maps no native library into its API that only a worker or a loader needs (needs Linux)',
    async () => {
      const maps = await readFile(`/proc/${(await pidsOfRoles()).api}/maps`, 'utf8')
      expect(maps).toContain('/node')
      expect(maps).not.toMatch(/temporal|esbuild/)
    },
  )

  it('answers an MCP server that is given no address, with one key for all its starts', async () => {
    const keys: string[] = []
    for (let start = 1; start <= 2; start++) {
      const mcp = await connectMcp({ PRICETAPE_DATA_DIR: here.data })
      expect(await mcp.call('price_at', { resource: 'gpt-5', provider: 'openai', at: '2025-12' })).toMatchObject({
        isError: false,
        data: { asOf: '2025-12-31T23:59:59.999Z' },
      })
      await mcp.client.close()
      keys.push(await readFile(join(here.data, 'mcp-key'), 'utf8'))
    }
    expect(keys[0]).toBe(keys[1])
    expect((await stat(join(here.data, 'mcp-key'))).mode & 0o777).toBe(0o600)
  })

  it('becomes ready, finishes a check, and each of its processes answers scrapers and probes on a port of its own', async () => {
    await vi.waitFor(async () => expect((await read('/readyz')).status).toBe(200), CHECKED_WITHIN)
    expect(await (await read('/readyz')).json()).toMatchObject({ status: 'ready' })
    const [apiAt, workerAt, supervisorAt] = [0, 1, 2].map((after) => `http://127.0.0.1:${metricsPort + after}`)
    for (const [address, role] of [
      [apiAt, 'api'],
      [workerAt, 'worker'],
      [supervisorAt, undefined],
    ] as const) {
      for (const path of ['/healthz', '/readyz'])
        expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 200])
      const metrics = await (await fetch(`${address}/metrics`)).text()
      if (role) expect(metrics).toMatch(new RegExp(`pricetape_build_info{version="[^"]+",role="${role}"} 1`))
    }
    // The worker counts a check after the database has it, and its workflow after that.
    await vi.waitFor(async () => {
      const ofWorker = await (await fetch(`${workerAt}/metrics`)).text()
      expect(ofWorker).toMatch(/^pricetape_checks_total\{result="ok"\} [1-9]/m)
      expect(ofWorker).toMatch(/^pricetape_condition\{code="no_recent_check",severity="not_ready"\} 0$/m)
      expect(ofWorker).toMatch(/^temporal_workflow_completed_total\{.*workflow_type="check".*\} [1-9]/m)
      expect(ofWorker).toMatch(/^nodejs_eventloop_lag_seconds /m)
    }, CHECKED_WITHIN)
    expect(await (await fetch(`${supervisorAt}/metrics`)).text()).toMatch(
      /^pricetape_process_up\{process="worker"\} 1$/m,
    )
    // The API's own port has none of it.
    expect((await read('/metrics')).status).toBe(404)
  })
})
