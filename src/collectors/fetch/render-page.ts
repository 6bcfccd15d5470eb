import { chromium, type Page, type Route } from 'playwright-core'
import { SECOND } from '../../lib/instant.ts'
import type { Log } from '../../lib/log.ts'
import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'
import { oneLine } from '../../lib/text.ts'
import { withBrowser } from './browser.ts'
import { findChromium, strictestLaunch } from './find-browser.ts'
import { readPageScript } from './read-page-script.ts'

/** A page gets this long for everything, and its requests these bounds. */
const RENDER_TIMEOUT_MS = 45 * SECOND
const QUIET_MS = 5 * SECOND
const MAX_REQUESTS = 200
const MAX_REQUEST_BYTES = 10 * 1024 * 1024
const MAX_PAGE_BYTES = 50 * 1024 * 1024
/** A legal document in characters; a longer page is not brought over. */
const MAX_HTML_LENGTH = 10 * 1024 * 1024
const MAX_PROBLEM_LENGTH = 300
/** What a text needs; pictures, fonts and media are not requested. */
const NEEDED = new Set(['document', 'script', 'stylesheet', 'xhr', 'fetch'])

export type RenderResult =
  | { kind: 'page'; html: string; status: number }
  /** `timedOut`: the caller's time was over before the page's own. */
  | { kind: 'failed'; problem: string; timedOut?: boolean; noBrowser?: boolean }

type Options = {
  browsers?: string[]
  timeoutMs?: number
  maxMemoryMb?: number
  signal?: AbortSignal
  log?: Pick<Log, 'warn'>
}

/** One browser at a time: the promise of the last in the queue, fulfilled when it has ended. */
let lastInLine: Promise<unknown> = Promise.resolve()

/**
 * Lets a page write its text in a browser. Each of its requests is made by our own HTTP client, behind the same address
 * checks as any other, and only to read. One deadline is over everything; when it comes the browser is killed.
 */
export async function renderPage(get: SafeFetch['get'], url: string, options: Options = {}): Promise<RenderResult> {
  const executablePath = findChromium(options.browsers)
  if (!executablePath)
    return { kind: 'failed', problem: 'it needs a browser, and there is no Chromium', noBrowser: true }
  const timeoutMs = options.timeoutMs ?? RENDER_TIMEOUT_MS
  const callerDeadline = AbortSignal.timeout(timeoutMs)
  const callerSignals = options.signal ? [callerDeadline, options.signal] : [callerDeadline]
  const mine = lastInLine.then(async () => {
    const deadline = AbortSignal.timeout(RENDER_TIMEOUT_MS)
    const signal = AbortSignal.any([deadline, ...callerSignals])
    const limits = { signal, maxMemoryMb: options.maxMemoryMb }
    return withBrowser(await strictestLaunch(executablePath, options.log), limits, (endpoint) =>
      renderIn(endpoint, { get, url, signal }),
    )
  })
  lastInLine = mine.catch(() => {})
  try {
    return await mine
  } catch (error) {
    options.signal?.throwIfAborted()
    if (error instanceof Error && error.name === 'TimeoutError')
      return {
        kind: 'failed',
        problem: `it was not rendered within ${Math.min(timeoutMs, RENDER_TIMEOUT_MS) / SECOND} s`,
        timedOut: callerDeadline.aborted && timeoutMs < RENDER_TIMEOUT_MS,
      }
    return { kind: 'failed', problem: `it could not be rendered: ${reasonOf(error)}` }
  }
}

type Bounds = { requests: number; bytes: number; loaded: boolean }

type PageToRender = { get: SafeFetch['get']; url: string; signal: AbortSignal; maxLength?: number }

/** Renders a page in a browser that runs. A page that never stops loading ends with its browser. */
export async function renderIn(
  endpoint: string,
  { get, url, signal, maxLength = MAX_HTML_LENGTH }: PageToRender,
): Promise<RenderResult> {
  const browser = await chromium.connect(endpoint)
  const context = await browser.newContext({ serviceWorkers: 'block', acceptDownloads: false })
  const bounds: Bounds = { requests: 0, bytes: 0, loaded: false }
  // Of the whole context: also a window that a page opens sends nothing by itself.
  await context.route('**/*', (route) => answer(get, route, bounds, signal))
  await context.routeWebSocket(/.*/, (socket) => socket.close())
  // Where there is no network, a page would take itself for offline.
  await context.addInitScript("Object.defineProperty(Navigator.prototype, 'onLine', { get: () => true })")
  const page = await context.newPage()
  context.on('page', (popup) => void popup.close().catch(() => {}))
  const response = await page.goto(url, { waitUntil: 'load', timeout: 0 })
  await page.waitForLoadState('networkidle', { timeout: QUIET_MS }).catch(() => {})
  // From here on the page stays where it is, whatever its tabs do when they are opened.
  bounds.loaded = true
  const html = await readHtml(page, maxLength)
  if (html === undefined) return { kind: 'failed', problem: `its text is longer than ${maxLength} characters` }
  return { kind: 'page', html, status: response?.status() ?? 0 }
}

/** Reads and measures the page where it is, in a world of scripts that its own scripts cannot reach. */
async function readHtml(page: Page, maxLength: number): Promise<string | undefined> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  const { result } = await session.send('Runtime.evaluate', {
    expression: readPageScript(maxLength),
    contextId,
    awaitPromise: true,
    returnByValue: true,
  })
  return typeof result.value === 'string' ? result.value : undefined
}

async function answer(get: SafeFetch['get'], route: Route, bounds: Bounds, signal: AbortSignal): Promise<void> {
  const request = route.request()
  const maxBytes = Math.min(MAX_REQUEST_BYTES, MAX_PAGE_BYTES - bounds.bytes)
  try {
    if (++bounds.requests > MAX_REQUESTS || maxBytes <= 0) return await route.abort()
    // Aborting it would put an error page in the page's place.
    if (bounds.loaded && request.isNavigationRequest()) return await route.fulfill({ status: 204 })
    if (request.method() !== 'GET' || !NEEDED.has(request.resourceType())) return await route.abort()
    const outcome = await get(request.url(), { maxBytes, timeoutMs: RENDER_TIMEOUT_MS, signal })
    if (outcome.kind !== 'answer') return await route.abort()
    bounds.bytes += outcome.bytes.length
    const contentType = outcome.headers['content-type'] ?? 'application/octet-stream'
    const headers = { 'content-type': contentType, 'access-control-allow-origin': '*' }
    await route.fulfill({ status: outcome.status, headers, body: Buffer.from(outcome.bytes) })
  } catch (error) {
    // A request may outlive its page; what it would have brought is not missed.
    if (!/closed|disconnected|handled/i.test(error instanceof Error ? error.message : '')) throw error
  }
}

const reasonOf = (error: unknown) =>
  oneLine((error instanceof Error ? error.message : String(error)).split('\n')[0]!, MAX_PROBLEM_LENGTH)
