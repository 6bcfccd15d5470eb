import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserServer, chromium } from 'playwright-core'
import { SECOND } from '../../lib/instant.ts'
import { endFirstWhenMemoryRunsOut, groupMemoryMb } from '../../lib/isolation/usage.ts'

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
/**
 * Chromium obeys the last `--disable-features` only. So this list repeats Playwright's, and adds the pages that a window
 * loads for its address bar, which nobody sees: they take half of the processor time of a page.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
  'msEdgeUpdateLaunchServicesPreferredVersion',
  'msForceBrowserSignIn',
]
/** What every browser of ours is started with. */
export const LEAN_BROWSER = [`--disable-features=${DISABLED_FEATURES.join(',')}`]
const ARGUMENTS = [
  ...LEAN_BROWSER,
  // The browser itself can reach nothing: every name and address is mapped away.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--disable-background-networking',
]
/** What all processes of the browser may have to themselves; an empty page takes about 200 MB. */
const MAX_MEMORY_MB = 1_500
const MEMORY_POLL_MS = 250
const END_TIMEOUT_MS = 5 * SECOND

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

/**
 * Runs a browser while `work` lasts, and ends it with every process of its group: when the work is over, when `signal`
 * aborts, when it takes too much memory.
 */
export async function withBrowser<T>(
  executablePath: string,
  { signal, maxMemoryMb = MAX_MEMORY_MB }: { signal: AbortSignal; maxMemoryMb?: number },
  work: (wsEndpoint: string) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted()
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  stopped.catch(() => {})
  const launching = chromium.launchServer({
    executablePath,
    args: ARGUMENTS,
    env: ENVIRONMENT,
    host: '127.0.0.1',
    // Chromium's own sandbox does not work for root; a worker that renders should not be root.
    chromiumSandbox: process.getuid?.() !== 0,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  })
  const over = new AbortController()
  try {
    const server = await Promise.race([launching, stopped])
    void endFirstWhenMemoryRunsOut(server.process().pid!)
    return await Promise.race([work(server.wsEndpoint()), stopped, tooMuchMemory(server, maxMemoryMb, over.signal)])
  } finally {
    over.abort()
    await launching.then(end, () => {})
  }
}

async function tooMuchMemory(server: BrowserServer, maxMemoryMb: number, over: AbortSignal): Promise<never> {
  const group = server.process().pid!
  for (;;) {
    const used = over.aborted ? 0 : await groupMemoryMb(group)
    if (used !== undefined && used > maxMemoryMb) throw new Error(`it takes more than ${maxMemoryMb} MB of memory`)
    // After the work is over nobody listens; the promise stays open and is forgotten.
    if (over.aborted || used === undefined) return new Promise(() => {})
    await sleep(MEMORY_POLL_MS)
  }
}

/** Kills the whole group and waits until it is gone, so that no second browser runs beside a lingering one. */
async function end(server: BrowserServer): Promise<void> {
  const { pid } = server.process()
  if (pid !== undefined && process.platform !== 'win32') {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The group has ended already.
    }
  }
  const limit = new AbortController()
  await Promise.race([server.kill().catch(() => {}), sleep(END_TIMEOUT_MS, undefined, { signal: limit.signal })])
  limit.abort()
}
