import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { parse } from 'yaml'
import { startPostgres } from '../../src/embedded/postgres/start-postgres.ts'
import { startChild } from '../../src/embedded/process/child.ts'
import { temporalBinary } from '../../src/embedded/temporal/find-binary.ts'
import { freePort, LOOPBACK, portAnswers } from '../../src/lib/ports.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { ROOT, say } from '../run.ts'
import type { Container, StartedContainer } from './container.ts'

const READY_WITHIN_MS = 120_000
const STOPS_WITHIN_MS = 15_000
const MAIN = ['node', 'dist/src/main.js']

/** Runs every role from the image against servers outside it, and uses the product as its users do. */
export async function runProduct(container: Container, folder: string): Promise<void> {
  await using postgres = await startPostgres({
    folder: join(folder, 'postgres'),
    password: randomBytes(12).toString('hex'),
    logFile: join(folder, 'postgres.log'),
    progress: silent,
  })
  const temporal = await startTemporal(join(folder, 'temporal.db'))
  const port = await freePort()
  const shared = {
    DATABASE_URL: postgres.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: 'default',
    PRICETAPE_SECRET_KEY: randomBytes(32).toString('base64'),
    PORT: String(port),
    PRICETAPE_OFFLINE: 'true',
    LOG_LEVEL: 'info',
  }
  // Production refuses receivers on this machine.
  const env = { ...shared, NODE_ENV: 'development', PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true' }
  const roles: (StartedContainer & { role: string; metrics: number })[] = []
  try {
    const key = await migrate(container, shared)
    await isConfined(container, shared)
    for (const role of ['api', 'worker']) {
      const metrics = await freePort()
      const own = { ...env, PRICETAPE_METRICS_PORT: String(metrics) }
      roles.push({ role, metrics, ...container.start([...MAIN, '--role', role], own) })
    }
    await readsPrice(`http://${LOOPBACK}:${port}`, key, roles[0]!)
    await delivers(container, env, roles[1]!)
    for (const { role, metrics } of roles) {
      await isHealthy(role, metrics)
      await passesHealthCheck(container, shared, role, { 8080: port, 9464: metrics })
    }
    for (const { role, ...started } of roles) await stops(role, started)
  } finally {
    for (const { child } of roles) child.kill('SIGKILL')
    await temporal.stop()
  }
}

async function startTemporal(file: string) {
  const binary = await temporalBinary({ cacheDir: process.env.PRICETAPE_CACHE_DIR }, silent)
  const port = await freePort()
  const args = ['server', 'start-dev', '--headless', '--ip', LOOPBACK, '--port', String(port), '--db-filename', file]
  const server = await startChild(binary, [...args, '--log-level', 'error'])
  await until('Temporal', () => portAnswers(port))
  return { address: `${LOOPBACK}:${port}`, stop: () => server.stop() }
}

/** Returns the first API key, which the migrations print. */
async function migrate(container: Container, env: Record<string, string>): Promise<string> {
  const said = await finished(container.start([...MAIN, '--role', 'migrate'], env))
  const key = /ptk_[\w-]+/.exec(said)?.[0]
  if (!key) throw new Error(`The migrations printed no key: ${said}`)
  say('ok  migrate')
  return key
}

/** The rights that the processes have, as they see them themselves. */
async function isConfined(container: Container, env: Record<string, string>): Promise<void> {
  const script = `const { readFileSync, writeFileSync } = require('node:fs')
    const refused = ['/app/x', '/etc/x', '/usr/x'].filter((path) => { try { writeFileSync(path, '') } catch { return true } })
    const status = readFileSync('/proc/self/status', 'utf8')
    writeFileSync('/tmp/x', ''); writeFileSync('/data/x', '')
    console.log(JSON.stringify({ uid: process.getuid(), refused: refused.length,
      capabilities: /CapEff:\\s*(\\w+)/.exec(status)[1], privileges: /NoNewPrivs:\\s*(\\d)/.exec(status)[1] }))`
  const found = await finished(container.start(['node', '-e', script], env))
  const expected = '{"uid":1000,"refused":3,"capabilities":"0000000000000000","privileges":"1"}'
  if (found.trim() !== expected) throw new Error(`The processes have more rights than expected: ${found}`)
  say('ok  no rights: user 1000, no capability, nothing but /tmp and /data can be written')
}

async function readsPrice(url: string, key: string, api: StartedContainer): Promise<void> {
  const query = 'providers=google&resource=gemini-3.6-flash&dimension=output_tokens&current=true'
  await until('the API', async () => (await fetch(`${url}/readyz/reads`)).ok, api)
  const answer = await fetch(`${url}/v1/prices/history?${query}`, { headers: { authorization: `Bearer ${key}` } })
  const { prices } = (await answer.json()) as { prices: { price: string }[] }
  if (prices[0]?.price !== '0.00000375') throw new Error(`Not the price of gemini-3.6-flash: ${JSON.stringify(prices)}`)
  const app = await fetch(`${url}/`, { headers: { accept: 'text/html' } })
  if (!(await app.text()).includes('<div id="app"')) throw new Error(`${url}/ is not the app.`)
  say(`ok  api: output tokens of gemini-3.6-flash cost ${prices[0].price} USD; the app is served`)
}

async function delivers(container: Container, env: Record<string, string>, worker: StartedContainer): Promise<void> {
  const received: { headers: Record<string, string>; body: string }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body })
      response.end()
    })
  })
  await new Promise<void>((done) => receiver.listen(0, LOOPBACK, done))
  const command = (...args: string[]) => finished(container.start(['node', 'bin/pricetape.js', ...args], env))
  const url = `http://${LOOPBACK}:${(receiver.address() as AddressInfo).port}/`
  const made = JSON.parse(await command('webhook', 'create', '--name', 'check', '--url', url, '--json'))
  await command('webhook', 'test', made.id)
  const arrived = async () => {
    if (received.length === 0) await command('check')
    return received.length > 0
  }
  await until('the delivery', arrived, worker)
  const [first] = received
  const { type } = new Webhook(made.secret).verify(first!.body, first!.headers) as { type: string }
  if (type !== 'webhook.test') throw new Error(`Not the test event: ${first!.body}`)
  receiver.close()
  say('ok  worker: a test event arrived, and its signature is right')
}

/** What the probes of Compose and Kubernetes ask. */
async function isHealthy(role: string, port: number): Promise<void> {
  const { status } = await fetch(`http://${LOOPBACK}:${port}/healthz`)
  if (status !== 200) throw new Error(`/healthz of ${role} answers ${status}.`)
  say(`ok  ${role} answers its probe`)
}

/** Runs the health check that docker-compose.yml has for a role, in the image: on the ports of here, and where nothing answers. */
async function passesHealthCheck(
  container: Container,
  env: Record<string, string>,
  role: string,
  ports: Record<string, number>,
): Promise<void> {
  const compose = parse(await readFile(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true })
  const [kind, ...command] = compose.services[role].healthcheck.test as string[]
  const check = (to: (port: string) => number) =>
    container.start(
      command.map((word) => word.replace(/(?<=127\.0\.0\.1:)\d+/, (port) => String(to(port)))),
      env,
    ).exited
  const nobody = await freePort()
  const codes = [await check((port) => ports[port]!), await check(() => nobody)]
  if (kind !== 'CMD' || codes[0] !== 0 || codes[1] === 0)
    throw new Error(`The health check of ${role} in docker-compose.yml ended with ${codes.join(' and ')}.`)
  say(`ok  ${role} passes its health check of docker-compose.yml, which fails where nothing answers`)
}

async function stops(role: string, { child, exited, said }: StartedContainer): Promise<void> {
  const began = performance.now()
  child.kill('SIGTERM')
  const code = await Promise.race([exited, sleep(STOPS_WITHIN_MS, 'too late', { ref: false })])
  if (code !== 0) throw new Error(`${role} ended with ${code}: ${said().slice(-2_000)}`)
  say(`ok  ${role} stopped in ${((performance.now() - began) / 1000).toFixed(1)} s`)
}

/** What a process printed. @throws when it failed */
async function finished({ exited, said }: StartedContainer): Promise<string> {
  const code = await exited
  if (code !== 0) throw new Error(`It ended with ${code}: ${said().slice(-2_000)}`)
  return said()
}

async function until(what: string, holds: () => Promise<boolean>, of?: StartedContainer): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS
  while (!(await holds().catch(() => false))) {
    if (of && of.child.exitCode !== null)
      throw new Error(`It ended, and ${what} was not there: ${of.said().slice(-2_000)}`)
    if (Date.now() > deadline) throw new Error(`${what} was not there in time. ${of?.said().slice(-2_000) ?? ''}`)
    await sleep(500)
  }
}
