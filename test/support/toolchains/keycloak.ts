import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { access, cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../../../src/embedded/process/cache-folder.ts'
import { freePort } from '../servers/ports.ts'

const run = promisify(execFile)
const VERSION = '26.5.6'
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`
const [FETCHED_WITHIN_MS, STARTS_WITHIN_MS, POLL_MS] = [600_000, 300_000, 1_000]

/** Fetches Keycloak with Maven, once for all checkouts: 175 MB. */
async function keycloakFolder(): Promise<string> {
  const parent = join(cacheFolder(process.env.PRICETAPE_CACHE_DIR), 'keycloak')
  const folder = join(parent, `keycloak-${VERSION}`)
  if (
    await access(folder).then(
      () => true,
      () => false,
    )
  )
    return folder
  const aside = `${parent}.${process.pid}`
  await mkdir(aside, { recursive: true })
  const fetch = ['-q', '-B', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${aside}`]
  await run('mvn', fetch, { timeout: FETCHED_WITHIN_MS })
  await run('jar', ['xf', join(aside, `keycloak-quarkus-dist-${VERSION}.zip`)], { cwd: aside })
  await mkdir(parent, { recursive: true })
  await rename(join(aside, `keycloak-${VERSION}`), folder)
  await rm(aside, { recursive: true, force: true })
  return folder
}

export type Keycloak = { issuer: string; stop: () => Promise<void> }

/** Starts Keycloak with this realm, as its own documentation says for development, on a port of this machine. */
export async function startKeycloak(realm: { realm: string }): Promise<Keycloak> {
  const source = await keycloakFolder()
  const home = await mkdtemp(join(tmpdir(), 'pricetape-keycloak-'))
  await cp(source, home, { recursive: true })
  await mkdir(join(home, 'data/import'), { recursive: true })
  await writeFile(join(home, 'data/import/realm.json'), JSON.stringify(realm))
  const port = await freePort()
  const options = ['start-dev', '--import-realm', '--http-host=127.0.0.1', `--http-port=${port}`]
  const child = spawn('bash', [join(home, 'bin/kc.sh'), ...options], {
    env: { ...process.env, JAVA_OPTS_APPEND: '-Xmx512m' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => printed.push(String(text)))
  const stop = async () => {
    await ended(child)
    await rm(home, { recursive: true, force: true })
  }
  const issuer = `http://127.0.0.1:${port}/realms/${realm.realm}`
  for (let waited = 0; waited < STARTS_WITHIN_MS && child.exitCode === null; waited += POLL_MS) {
    const isUp = await fetch(`${issuer}/.well-known/openid-configuration`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return { issuer, stop }
    await new Promise((done) => setTimeout(done, POLL_MS))
  }
  await stop()
  throw new Error(`Keycloak did not start:\n${printed.join('').slice(-4_000)}`)
}

/** The script becomes the server's process, so its end is the server's. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const exit = new Promise((done) => child.once('exit', done))
  child.kill('SIGKILL')
  await exit
}
