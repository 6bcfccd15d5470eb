import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserServer, chromium } from 'playwright-core'
import { SECOND } from '../../lib/instant.ts'
import { endFirstWhenMemoryRunsOut, groupMemoryMb } from '../../lib/isolation/usage.ts'
import { CLOSED_BROWSER } from './browser-settings.ts'
import type { Launch } from './find-browser.ts'

/** What all processes of the browser may have to themselves; an empty page takes about 200 MB. */
const MAX_MEMORY_MB = 1_500
const MEMORY_POLL_MS = 250
const END_TIMEOUT_MS = 5 * SECOND

/**
 * Runs a browser while `work` lasts, and ends it with every process of its group: when the work is over, when `signal`
 * aborts, when it takes too much memory.
 */
export async function withBrowser<T>(
  { executablePath, env, chromiumSandbox }: Launch,
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
    args: CLOSED_BROWSER,
    env,
    chromiumSandbox,
    host: '127.0.0.1',
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
    // After the work is over no one listens; the promise stays open and is forgotten.
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
