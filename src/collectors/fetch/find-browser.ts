import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { SECOND } from '../../lib/instant.ts'
import type { Log } from '../../lib/log.ts'

const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome', '/opt/homebrew/bin']
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/**
 * Where a system keeps its browser. The one without windows first: it starts in half the time, and takes a quarter less of
 * the processor. Not by its script, which would stay its parent.
 */
const BROWSERS = [
  '/usr/lib/chromium/chromium-headless-shell',
  ...FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name))),
]
/** All that a launcher script and its fonts need: nothing a page reads can lead it to a secret. */
const ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/nonexistent', LANG: 'C.UTF-8' }
const WITHOUT_NETWORK = fileURLToPath(new URL('without-network.sh', import.meta.url))
const TRY_TIMEOUT_MS = 10 * SECOND

/** The system's Chromium, or undefined. */
export function findChromium(browsers = BROWSERS): string | undefined {
  return browsers.find((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** How a browser is started. */
export type Launch = {
  executablePath: string
  env: Record<string, string>
  chromiumSandbox: boolean
  /** It has no network at all. Elsewhere its settings alone keep it from the network. */
  withoutNetwork: boolean
}

/** Started as it is. Chromium's own sandbox does not work for root: a worker that renders should not be root. */
export const bareLaunch = (executablePath: string): Launch => ({
  executablePath,
  env: ENVIRONMENT,
  chromiumSandbox: process.getuid?.() !== 0,
  withoutNetwork: false,
})

/** A user without rights, also where we are root, so that Chromium's own sandbox works. */
const WITHOUT_RIGHTS = '--user --map-user=1000 --map-group=1000 --keep-caps'
const OWN_PROCESSES = '--pid --mount-proc'
/** The ways into namespaces, the strictest first. Chromium's sandbox needs to make one more of them. */
const WAYS = [
  { namespaces: `${WITHOUT_RIGHTS} ${OWN_PROCESSES}`, chromiumSandbox: true },
  { namespaces: WITHOUT_RIGHTS, chromiumSandbox: true },
  { namespaces: OWN_PROCESSES, chromiumSandbox: false },
]
const NO_NAMESPACE =
  'Pages are rendered by a browser that its settings alone keep from the network: no network namespace can be made here (docs/network.md, Rendering)'

/** What was found for each browser: trying takes a tenth of a second. */
const launches = new Map<string, Promise<Launch>>()

/** Returns the strictest way to start a browser that this machine allows. Where that is with a network, it is logged once. */
export function strictestLaunch(browser: string, log?: Pick<Log, 'warn'>): Promise<Launch> {
  const known = launches.get(browser)
  if (known) return known
  const launch = tryWays(browser)
  launches.set(browser, launch)
  void launch.then(({ withoutNetwork }) => withoutNetwork || log?.warn(NO_NAMESPACE))
  return launch
}

async function tryWays(browser: string): Promise<Launch> {
  for (const { namespaces, chromiumSandbox } of process.platform === 'linux' ? WAYS : []) {
    const env = { ...ENVIRONMENT, NAMESPACES: namespaces, RENDERER: browser }
    const nested = await succeeds({ ...env, RENDERER: 'unshare' }, ['--user', '--net', 'true'])
    if ((nested || !chromiumSandbox) && (await succeeds(env, ['--version'])))
      return { executablePath: WITHOUT_NETWORK, env, chromiumSandbox, withoutNetwork: true }
  }
  return bareLaunch(browser)
}

const succeeds = (env: Record<string, string>, args: string[]): Promise<boolean> =>
  promisify(execFile)(WITHOUT_NETWORK, args, { env, timeout: TRY_TIMEOUT_MS, killSignal: 'SIGKILL' }).then(
    () => true,
    () => false,
  )
