/**
 * Measures the app in a real browser: `npx tsx bench/app/run.ts` (needs Chromium). Its last results are in README.md
 * beside it.
 */
import { cpus, loadavg } from 'node:os'
import { chromium, type Page } from 'playwright-core'
import { findChromium } from '../../src/collectors/fetch/find-browser.ts'
import { buildApp } from '../../src/embedded/build-app.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { BUILT_APP } from '../../src/pages/app-folder.ts'
import { buildServer } from '../../src/server.ts'
import { databaseOf } from '../history/data.ts'
import { startPostgres } from '../history/postgres.ts'

/** The real resources eight times: 13,000 rows of the explorer. */
const PUBLICATIONS = 40_000
const STARTS = 5
const SCROLLS = 30
/** Further than a screen: every row is another one. */
const SCROLL_PIXELS = 4_000
const WORDS = ['gpt', 'claude', 'llama 3', 'mini', 'openrouter', 'zz']

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
const ms = (value: number) => `${value.toFixed(0)} ms`

/** Text, because there are no types of the browser here. A key that leaves the rows as they are counts until its frame. */
const WATCH = `
  document.querySelector('input[aria-label=Search]').focus();
  window.painted = new Promise((done) => {
    addEventListener('keydown', () => {
      const began = performance.now();
      const table = document.querySelector('main');
      let last;
      const observer = new MutationObserver(() => { last = performance.now(); });
      observer.observe(table, { subtree: true, childList: true, characterData: true });
      const frames = (left) => requestAnimationFrame(() => left > 0 ? frames(left - 1) : finish());
      const finish = () => { observer.disconnect(); done((last ?? began) - began); };
      setTimeout(() => frames(1), 250);
    }, { once: true, capture: true });
  });
  undefined
`

/** From a step of the wheel to the last change of the rows. */
const SCROLL = `
  new Promise((done) => {
    const scroller = document.querySelector('section[aria-label="Prices of models"]');
    const began = performance.now();
    let last = began;
    const observer = new MutationObserver(() => { last = performance.now(); });
    observer.observe(scroller, { subtree: true, childList: true, characterData: true });
    scroller.scrollTop += ${SCROLL_PIXELS};
    setTimeout(() => { observer.disconnect(); done(last - began); }, 200);
  })
`

await buildApp({ say: console.log })
const postgres = await startPostgres()
const browser = await chromium.launch({ executablePath: findChromium(), chromiumSandbox: process.getuid?.() !== 0 })
try {
  const { sql } = await databaseOf(postgres.url, PUBLICATIONS)
  await sql`
    insert into resource_fact (source, provider, resource, fact, value, stated_since, at, rank)
    select distinct on (provider, resource) source, provider, resource, 'context', (8000 * length(resource))::text,
           published_at, published_at, 2
    from publication`
  const config = readConfig({ PRICETAPE_PUBLIC_PAGES: 'true' })
  const server = await buildServer({ sql, config, log: createLog('error'), appFolder: BUILT_APP })
  server.addHook('onRequest', async () => void (await sql`delete from rate_bucket`))
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  console.log(`${cpus().length} × ${cpus()[0]!.model}, load ${loadavg()[0]!.toFixed(1)}`)
  await measureStarts(url, '/', 'heading')
  await measureStarts(url, '/prices', 'rows')
  await measureFilter(url, '/prices')
  await measureFilter(url, '/prices?tab=sellers')
  await server.close()
} finally {
  await browser.close()
  await postgres.stop()
}
process.exit(0)

async function fresh(url: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 800 } })
  return context.newPage()
}

/** A browser that has nothing of the app yet, until the page can be used. */
async function measureStarts(url: string, path: string, until: 'heading' | 'rows'): Promise<void> {
  const times: number[] = []
  for (let n = 0; n <= STARTS; n++) {
    const page = await fresh(url)
    const began = performance.now()
    await page.goto(path, { waitUntil: 'commit' })
    if (until === 'rows') await page.locator('tbody tr').first().waitFor()
    else await page.getByRole('heading', { level: 1 }).waitFor()
    times.push(performance.now() - began)
    await page.context().close()
  }
  // The first start also warms the server.
  console.log(`${path} works after ${ms(median(times.slice(1)))} (first ${ms(times[0]!)})`)
}

/** From a key to the next frame that shows what it found. */
async function measureFilter(url: string, path: string): Promise<void> {
  const page = await fresh(url)
  await page.goto(path)
  await page.locator('tbody tr').first().waitFor()
  const rows = await page.getByText(/ of .* (rows|models)$/).textContent()
  const times: number[] = []
  for (const word of WORDS) {
    await page.getByLabel('Search').fill('')
    await page.waitForTimeout(300)
    for (const key of word) {
      await page.evaluate(WATCH)
      await page.keyboard.press(key === ' ' ? 'Space' : key)
      times.push(await page.evaluate<number>('window.painted'))
    }
  }
  times.sort((a, b) => a - b)
  console.log(
    `${path}, ${rows}: a key filters within ${ms(median(times))} (median), ${ms(times.at(-1)!)} (slowest of ${times.length})`,
  )
  await page.getByLabel('Search').fill('')
  await page.waitForTimeout(500)
  const scrolls: number[] = []
  for (let n = 0; n < SCROLLS; n++) scrolls.push(await page.evaluate<number>(SCROLL))
  console.log(`a scroll shows its rows within ${ms(median(scrolls))} (median), ${ms(Math.max(...scrolls))} (slowest)`)
  await page.context().close()
}
