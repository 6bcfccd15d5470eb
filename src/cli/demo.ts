import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@temporalio/client'
import { findWorkspace } from '../accounts/workspaces/find-workspace.ts'
import { networkEnvironment } from '../embedded/process/environment.ts'
import { type Installation, supervise } from '../embedded/supervise.ts'
import { readConfig } from '../lib/config.ts'
import { type Instant, SECOND } from '../lib/instant.ts'
import { createLog } from '../lib/log.ts'
import { freePort, LOOPBACK } from '../lib/ports.ts'
import { progressTo } from '../lib/process/progress.ts'
import { createSafeFetch } from '../lib/safe-fetch/safe-fetch.ts'
import { connect, type Sql } from '../lib/sql.ts'
import { openConnection } from '../temporal/connect.ts'
import { checkNow } from '../temporal/request-check.ts'
import { checkWebhookUrl } from '../webhooks/subscriptions/check-webhook-url.ts'
import { createWebhook } from '../webhooks/subscriptions/create-webhook.ts'
import { errorMessage } from './error-message.ts'
import { INTERRUPTED, stopRequested } from './running/stop.ts'
import { type CheckReport, checkText } from './sources/check.ts'
import { startVerifyingReceiver } from './webhooks/receiver.ts'
import { lineOf, type ReceivedRequest } from './webhooks/receiver-line.ts'

/** History up to here is there when the demonstration begins; the release of September is its news. */
const BEFORE_THE_NEWS = '2026-08-01T00:00:00.000Z' as Instant
const SHOWN_LINES = 12

const began = performance.now()
const progress = progressTo(process.stdout)
let ready = false
const stop = stopRequested(() => progress.say('Stopping at once.'))
process.umask(0o077)
const folder = await mkdtemp(join(tmpdir(), 'pricetape-demo-'))

try {
  const { values } = parseArgs({ options: { exit: { type: 'boolean', default: false } } })
  await chmod(folder, 0o711)
  const env = await demoSettings()
  const config = readConfig(env)
  const log = createLog(config.logLevel)
  void stop.then(() => ready || process.exit(INTERRUPTED))
  progress.say('A throw-away Pricetape with real prices as they were until July 2026:')
  const options = { env, progress, log, importUntil: BEFORE_THE_NEWS, schedulesPaused: true }
  await supervise(config, options, async (installation) => {
    ready = true
    await using _receiver = await demonstrate(installation)
    if (values.exit) return
    progress.say('\nIt stays until Ctrl-C, so that you can look around; nothing of it is kept.')
    await stop
  })
} catch (error) {
  process.stderr.write(`\n${errorMessage(error)}\n`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exit()

/** Nothing of this shell's own installation, and nothing of the network, takes part. */
async function demoSettings(): Promise<Record<string, string | undefined>> {
  const { PRICETAPE_TEMPORAL_BINARY, PRICETAPE_CACHE_DIR, LOG_LEVEL = 'warn' } = process.env
  return {
    ...networkEnvironment(),
    PRICETAPE_TEMPORAL_BINARY,
    PRICETAPE_CACHE_DIR,
    LOG_LEVEL,
    PRICETAPE_DATA_DIR: folder,
    PORT: String(await freePort()),
    PRICETAPE_TEMPORAL_UI_PORT: String(await freePort()),
    PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true',
    PRICETAPE_OFFLINE: 'true',
  }
}

/** The main job: a receiver subscribes, prices change, signed deliveries of the real difference arrive. */
async function demonstrate(installation: Installation): Promise<AsyncDisposable> {
  const { url, temporalUi, databaseUrl, bootstrapped } = installation
  const { newKey, imported } = bootstrapped
  progress.say(`${imported.rows} prices recorded in ${imported.seconds.toFixed(1)} s; ready after ${sinceBegin()} s.`)
  const sql = connect(databaseUrl, { max: 2 })
  const connection = await openConnection({ connection: { address: installation.temporal.address } })
  const port = await freePort()
  const secretKey = Buffer.from(installation.secretKey, 'base64')
  const { id, secret } = await subscribe(sql, secretKey, `http://${LOOPBACK}:${port}/`)
  const arrivals: number[] = []
  const receiver = await startVerifyingReceiver({
    port,
    secrets: [secret],
    json: true,
    write: (line) => {
      const received = JSON.parse(line) as ReceivedRequest
      if (received.outcome === 'accepted') arrivals.push(performance.now())
      if (arrivals.length <= SHOWN_LINES || received.outcome !== 'accepted') progress.say(`  ${lineOf(received)}`)
      else progress.passing(`  … ${arrivals.length} deliveries verified`)
    },
  })
  progress.say(`A receiver listens at ${receiver.url} and wants every price.changed (webhook ${id}).`)
  progress.say('The release of 23 September 2026 comes in: checking.\n')
  const checked = performance.now()
  const report = (await (await checkNow(new Client({ connection }))).result()) as CheckReport
  progress.say(`\n${checkText(report)}`)
  progress.say(rateLine(arrivals, (performance.now() - checked) / SECOND))
  progress.say(
    `\nEach delivery is a workflow: ${temporalUi}/namespaces/default/workflows?query=${encodeURIComponent(`WebhookId="${id}"`)}`,
  )
  progress.say('The prices of one provider as they stood in November 2025, and again in August 2026:')
  for (const asOf of ['2025-11-15T00:00:00Z', '2026-08-15T00:00:00Z'])
    progress.say(
      `  curl -s '${url}/v1/prices/history?providers=openai&limit=3&asOf=${asOf}' -H 'authorization: Bearer ${newKey}'`,
    )
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all([receiver.close(), connection.close(), sql.end({ timeout: 1 })])
    },
  }
}

async function subscribe(sql: Sql, secretKey: Uint8Array, url: string): Promise<{ id: string; secret: string }> {
  const { resolve, close } = createSafeFetch({ allowPrivate: true })
  const checkUrl = (text: string) => checkWebhookUrl(text, { allowPrivate: true, resolve })
  const body = { name: 'Demonstration', url, eventTypes: ['price.changed' as const], providers: ['*'] }
  try {
    const workspaceId = await findWorkspace(sql)
    const { webhook, secret } = await createWebhook(sql, { secretKey, checkUrl }, workspaceId, body)
    return { id: webhook.id, secret }
  } finally {
    await close()
  }
}

function rateLine(arrivals: number[], seconds: number): string {
  const took = (arrivals.at(-1)! - arrivals[0]!) / SECOND
  const rate = arrivals.length > 1 ? ` at ${((arrivals.length - 1) / took).toFixed(0)} per second` : ''
  return `${arrivals.length} signed deliveries arrived and were verified${rate}; the whole check took ${seconds.toFixed(1)} s.`
}

function sinceBegin(): string {
  return ((performance.now() - began) / SECOND).toFixed(1)
}
