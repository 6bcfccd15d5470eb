import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Route } from 'playwright-core'
import { SECOND } from '../../lib/instant.ts'
import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'

/** A page gets this long to write its text, and its requests these bounds. */
const RENDER_TIMEOUT_MS = 45 * SECOND
const QUIET_MS = 5 * SECOND
const MAX_REQUESTS = 200
const MAX_REQUEST_BYTES = 10 * 1024 * 1024
/** What a text needs; pictures, fonts and media are not asked for. */
const NEEDED = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])
/** Where a system keeps its browser. */
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome', '/opt/homebrew/bin']
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

export type Rendered = { kind: 'page'; html: string; status: number } | { kind: 'failed'; problem: string }

/** The system's Chromium, or undefined. */
function findChromium(folders: string[]): string | undefined {
  const places = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/**
 * Lets a page write its text. The browser itself can reach nothing (every name is mapped away); each of its requests is
 * made by the one way out, behind the same address checks as any other, and only to read.
 */
export async function renderPage(
  get: SafeFetch['get'],
  url: string,
  options: { folders?: string[]; timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<Rendered> {
  const executablePath = findChromium(options.folders ?? FOLDERS)
  if (!executablePath) return { kind: 'failed', problem: 'it needs a browser, and there is no Chromium' }
  const timeout = Math.min(options.timeoutMs ?? RENDER_TIMEOUT_MS, RENDER_TIMEOUT_MS)
  const browser = await chromium.launch({
    executablePath,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND', '--disable-background-networking'],
    // Chromium's own sandbox does not work for root; a worker that renders should not be root.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout,
  })
  try {
    const context = await browser.newContext({ serviceWorkers: 'block', acceptDownloads: false })
    const page = await context.newPage()
    let requests = 0
    await page.routeWebSocket(/.*/, (socket) => socket.close())
    await page.route('**/*', (route) => {
      requests++
      return requests > MAX_REQUESTS ? route.abort() : answer(get, route, timeout, options.signal)
    })
    const response = await page.goto(url, { waitUntil: 'load', timeout })
    await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => {})
    return { kind: 'page', html: await page.content(), status: response?.status() ?? 0 }
  } catch (error) {
    return { kind: 'failed', problem: `it could not be rendered: ${firstLine(error)}` }
  } finally {
    await browser.close()
  }
}

async function answer(get: SafeFetch['get'], route: Route, timeoutMs: number, signal?: AbortSignal): Promise<void> {
  const request = route.request()
  if (request.method() !== 'GET' || !NEEDED.has(request.resourceType())) return route.abort()
  const outcome = await get(request.url(), { maxBytes: MAX_REQUEST_BYTES, timeoutMs, signal })
  if (outcome.kind !== 'answer') return route.abort()
  const contentType = outcome.headers['content-type'] ?? 'application/octet-stream'
  const headers = { 'content-type': contentType, 'access-control-allow-origin': '*' }
  await route.fulfill({ status: outcome.status, headers, body: Buffer.from(outcome.bytes) })
}

const firstLine = (error: unknown) => (error instanceof Error ? error.message : String(error)).split('\n')[0]!
