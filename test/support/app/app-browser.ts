import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import axe, { type Result } from 'axe-core'
import { type Browser, chromium, type Page, type Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { LEAN_BROWSER } from '../../../src/collectors/fetch/browser-settings.ts'
import { findChromium } from '../../../src/collectors/fetch/find-browser.ts'
import { buildApp } from '../../../src/embedded/build-app.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { BUILT_APP } from '../../../src/pages/app-folder.ts'
import { keepBucketsFull, testServer } from '../api.ts'
import { allowedMs } from '../suite/allowed-time.ts'

/** Screenshots are kept in this folder of the repository when PRICETAPE_TEST_SCREENSHOTS is set. */
const SCREENSHOTS = join(import.meta.dirname, '../../../.cache/screenshots')
/** Menus and bars move for so long. */
const MOVES_MS = 400
/** How long a page may take to show something on a machine at rest, and on any. */
const [WAIT_MS, MOST_WAIT_MS] = [30_000, 120_000]
/** How many rows of a table are checked for accessibility. */
const CHECKED_ROWS = 12
/** Pages live for seconds here: the code that V8 would optimize in the background is hardly run after that. */
const BROWSER_ARGUMENTS = [...LEAN_BROWSER, '--js-flags=--max-opt=1']
const WIDE = { width: 1280, height: 800 }
const NARROW = 380
const WIDEST = 2560

type Env = Record<string, string>

/**
 * The built app on a real server, with these settings, and in a real browser. Every test fails on an error in a page's console and on a
 * request that failed, unless it says which to expect.
 * @param options.env settings, or what makes them before the server starts. A `PORT` among them is used.
 * @param options.keepsPages whether a test gets the emptied page of a test before, for which the browser has compiled the
 *   app and the checks already. Not for tests that change how a page works, with routes, scripts or devices, and not where
 *   each test has a server of its own.
 */
export function appBrowser(
  db: { sql: Sql; each?: boolean },
  { env = {}, keepsPages = false }: { env?: Env | (() => Promise<Env>); keepsPages?: boolean } = {},
) {
  const app = {
    url: '',
    /** Patterns of what a test expects in the console. */
    expected: [] as RegExp[],
    /** A person with a browser of their own, signed in where a session is named. */
    person: async (session?: string): Promise<Page> => {
      const page = free.pop() ?? (await open())
      used.push(page)
      if (session !== undefined) await app.signIn(page, session)
      return page
    },
    /** Gives a browser the cookie of a session. */
    signIn: (page: Page, value: string): Promise<void> =>
      page.context().addCookies([{ name: 'pricetape', value, url: app.url, httpOnly: true, sameSite: 'Lax' }]),
  }
  let browser: Browser
  let server: Awaited<ReturnType<typeof testServer>>
  const used: Page[] = []
  /** Emptied pages of tests before. */
  const free: Page[] = []
  const problems: string[] = []

  async function open(): Promise<Page> {
    const context = await browser.newContext({ viewport: WIDE, baseURL: app.url, reducedMotion: 'reduce' })
    context.setDefaultTimeout(Math.min(allowedMs(WAIT_MS), MOST_WAIT_MS))
    const page = await context.newPage()
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('request', (request) => {
      // What a page was still reading when someone signed out is refused.
      if (isSignOut(request)) app.expected.push(/status of 401/, /^ApiError: Sign in first/)
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText
      // A page that is left ends what it was asking.
      if (reason !== 'net::ERR_ABORTED') problems.push(`${request.url()} ${reason}`)
    })
    return page
  }

  async function startServer() {
    const settings = typeof env === 'function' ? await env() : env
    server = await testServer(db.sql, settings, {}, BUILT_APP)
    keepBucketsFull(server, db.sql)
    const port = Number(settings.PORT ?? 0)
    app.url = (await server.listen({ host: '127.0.0.1', port })).replace('127.0.0.1', 'localhost')
  }

  beforeAll(async () => {
    await buildApp({ say: () => {} })
    const chromiumSandbox = process.getuid?.() !== 0
    browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox, args: BROWSER_ARGUMENTS })
  })
  // Where each test has a database of its own, it has a server of its own too.
  const [beforeServer, afterServer] = db.each ? [beforeEach, afterEach] : [beforeAll, afterAll]
  beforeServer(startServer)
  afterServer(() => server?.close())
  afterEach(async ({ task }) => {
    const failed = task.result?.state === 'fail'
    const pages = used.splice(0)
    if (failed) await keepFailure(pages, task.name)
    if (keepsPages && !failed) free.push(...(await Promise.all(pages.map(emptied))))
    else await Promise.all(pages.map((page) => page.context().close()))
    const found = problems.splice(0).filter((text) => !app.expected.some((pattern) => pattern.test(text)))
    app.expected = []
    expect(found).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
  })
  return app
}

const isSignOut = (request: Request): boolean =>
  request.method() === 'DELETE' && /\/v1\/(sessions(\/current)?|account)$/.test(request.url())

/** Takes a page out of the app, and everything out of its browser that the app or a test has left there. */
async function emptied(page: Page): Promise<Page> {
  const context = page.context()
  const others = context.pages().filter((other) => other !== page)
  await Promise.all(others.map((other) => other.close()))
  await context.setOffline(false)
  // A file of the same site: where there is no site, the browser would start another process for the next.
  await page.goto('/icon.svg')
  await page.evaluate('localStorage.clear(), sessionStorage.clear()')
  await context.clearCookies()
  return page
}

/** Holds the requests of a page that match. Returns what lets them go, and those that come later. */
export async function hold(page: Page, pattern: string | RegExp): Promise<() => Promise<void>> {
  let go = () => {}
  const held = new Promise<void>((resolve) => {
    go = resolve
  })
  await page.route(pattern, (route) => held.then(() => route.continue()))
  return () => {
    go()
    return page.unrouteAll({ behavior: 'wait' })
  }
}

/** Checks that everyone can use a page: no serious or critical violation of accessibility. Then keeps its looks. Once for each page. */
export async function inspect(page: Page, name: string): Promise<void> {
  await expectAccessible(page, name)
  await screenshots(page, name)
}

/** Checks that a page fits the narrowest and the widest screen: wide tables scroll, the page does not. */
export async function expectFits(page: Page): Promise<void> {
  const beyond = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  for (const width of [NARROW, WIDEST]) {
    await page.setViewportSize({ width, height: WIDE.height })
    // The bar of pages moves out of the way first.
    await expect.poll(beyond).toBe(0)
  }
  await page.setViewportSize(WIDE)
}

/** Keeps what a page looks like in light and dark, wide and narrow, and checks each, for someone to look at: only when it is wanted. */
export async function screenshots(page: Page, name: string): Promise<void> {
  if (!process.env.PRICETAPE_TEST_SCREENSHOTS) return
  await mkdir(SCREENSHOTS, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, width] of [
      ['wide', WIDE.width],
      ['narrow', NARROW],
    ] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: WIDE.height })
      await page.waitForTimeout(MOVES_MS)
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${colorScheme}-${size}.png`) })
    }
    if (colorScheme === 'dark') await expectAccessible(page, `${name} in the dark`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(WIDE)
}

/** Keeps what the pages of a failed test showed, and prints it: of a run elsewhere there is only what it printed. */
async function keepFailure(first: Page[], test: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true })
  const pages = first.flatMap((page) => page.context().pages())
  const name = test.replace(/\W+/g, '-').slice(0, 60)
  const keep = async (page: Page, number: number) => {
    await page.screenshot({ path: join(SCREENSHOTS, `failed-${name}-${number}.png`) })
    console.error(`${test}: ${page.url()} shows\n${await page.evaluate(SHOWN)}`)
  }
  await Promise.allSettled(pages.map(keep))
}

const SHOWN = 'document.body.innerText + "\\nwith the focus on " + document.activeElement?.outerHTML.slice(0, 300)'

async function expectAccessible(page: Page, name: string): Promise<void> {
  // What still fades in has less contrast than it will have. Text, because there are no types of the browser here.
  await page.evaluate(
    'Promise.allSettled(document.getAnimations().filter((a) => a.effect.getTiming().iterations < 99).map((a) => a.finished))',
  )
  // Compiling the checker takes longer than most checks: a page is given it once.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source)
  // Rows of a table are alike: the first ones stand for all.
  const run = `axe.run({ exclude: ['tbody tr:nth-child(n+${CHECKED_ROWS + 1})'] }, { resultTypes: ['violations'] }).then(
    ({ violations }) => violations,
  )`
  const violations = await page.evaluate<Result[]>(run)
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const shown = grave.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any }) => `${name}: ${id}: ${html} ${any.map(({ message }) => message).join(' ')}`),
  )
  expect(shown).toEqual([])
  // The checker lets a choice pass that does not say what is chosen.
  const unnamed = page.locator('[role=radiogroup]:not([aria-label]):not([aria-labelledby])')
  expect(await unnamed.count(), `${name}: choices without a name`).toBe(0)
}
