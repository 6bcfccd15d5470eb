/**
 * `npm run pack:check`: what `npm pack` makes installs into an empty folder, and runs there: the version, the doctor, and
 * the product itself until it answers; and both clients, as a wheel and as a package. `-- --keep FOLDER` keeps what was made.
 */
import { spawn } from 'node:child_process'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../src/lib/ports.ts'
import { VERSION } from '../../src/lib/process/version.ts'
import { run, say } from '../run.ts'
import { clientInstalls, wheelInstalls } from './clients.ts'

const READY_WITHIN_MS = 180_000
const WANTED = ['bin/pricetape.js', 'dist/src/main.js', 'dist/app/index.html', 'dist/workflow-bundle.js', 'LICENSE']
/** What belongs to a checkout, and secrets. */
const UNWANTED = /^(src|test|bench|clients|\.ci|\.env$|\.data)|\.tgz$|\.log$/

type PackResult = { filename: string; size: number; files: { path: string }[] }

let settings: NodeJS.ProcessEnv | undefined
const folder = await mkdtemp(join(tmpdir(), 'pricetape-pack-'))
await chmod(folder, 0o711)
try {
  const [packed] = JSON.parse(
    jsonIn(await run('npm', ['pack', '--json', '--pack-destination', folder])),
  ) as PackResult[]
  const paths = packed!.files.map(({ path }) => path)
  const missing = WANTED.filter((path) => !paths.includes(path))
  const unwanted = paths.filter((path) => UNWANTED.test(path))
  if (missing.length > 0 || unwanted.length > 0)
    throw new Error(`Missing: ${missing.join(', ')}. Not wanted: ${unwanted.slice(0, 5).join(', ')}`)
  say(`ok  ${packed!.filename}: ${(packed!.size / 1e6).toFixed(1)} MB, ${paths.length} files`)
  const made = [join(folder, packed!.filename), await wheelInstalls(folder), await clientInstalls(folder)]
  await installs(packed!.filename)
  await starts()
  await keep(made)
} finally {
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)

async function keep(made: string[]): Promise<void> {
  const { keep } = parseArgs({ options: { keep: { type: 'string' } } }).values
  if (!keep) return
  await mkdir(keep, { recursive: true })
  for (const file of made) await copyFile(file, join(keep, basename(file)))
}

async function installs(filename: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
  await run('npm', ['install', '--no-audit', '--no-fund', join(folder, filename)], { cwd: folder })
  const version = (await pricetape('--version')).trim()
  if (version !== VERSION) throw new Error(`pricetape --version: ${version}`)
  const { findings } = JSON.parse(await pricetape('doctor', '--json')) as { findings: { name: string; ok: boolean }[] }
  const broken = findings.filter(({ name, ok }) => !ok && ['Node', 'PostgreSQL'].includes(name))
  if (broken.length > 0) throw new Error(`The doctor finds: ${JSON.stringify(broken)}`)
  say(`ok  npx pricetape --version: ${version}; doctor finds nothing missing`)
}

/** Runs a command as someone who installed the package does. */
async function pricetape(...args: string[]): Promise<string> {
  return run('npx', ['--no-install', 'pricetape', ...args], { cwd: folder, env: await environment() })
}

async function environment(): Promise<NodeJS.ProcessEnv> {
  settings ??= {
    ...process.env,
    PORT: String(await freePort()),
    PRICETAPE_TEMPORAL_UI_PORT: String(await freePort()),
    PRICETAPE_OFFLINE: 'true',
  }
  return settings
}

async function starts(): Promise<void> {
  const env = await environment()
  const child = spawn(join(folder, 'node_modules/.bin/pricetape'), ['start'], { cwd: folder, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)))
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  try {
    const deadline = Date.now() + READY_WITHIN_MS
    while (!said.includes('Ctrl-C')) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`It did not start: ${said}`)
      await sleep(500)
    }
    const app = await fetch(`http://127.0.0.1:${env.PORT}/`, { headers: { accept: 'text/html' } })
    if (!(await app.text()).includes('<div id="app"')) throw new Error('The app is not served.')
    await pricetape('check', '--json')
  } finally {
    child.kill('SIGTERM')
  }
  const code = await exited
  if (code !== 0) throw new Error(`It ended with ${code}: ${said}`)
  say('ok  npx pricetape start: ready, serves the app, runs a check, stops')
}

/** npm prints what its scripts print first. */
function jsonIn(text: string): string {
  return text.slice(text.search(/^\[/m))
}
