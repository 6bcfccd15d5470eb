import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, hold, screenshots } from '../../support/app/app-browser.ts'
import { dataPages, fillApp, visitorPages } from '../../support/app/app-pages.ts'
import { testDatabase } from '../../support/database.ts'

const ROUTER = join(import.meta.dirname, '../../../src/web/router.tsx')
/** By how much something may move when its page has been read, in pixels. */
const MOST_MOVED = 4
/** The heads and filters of a page, and where its content and the first row of its table begin. */
const LANDMARKS = `
  (() => {
    const main = document.querySelector('main')
    const heading = main.querySelector('h1')
    const top = (element) => element && Math.round(element.getBoundingClientRect().top + scrollY)
    const isSeen = (element) => element.getBoundingClientRect().height > 1 && getComputedStyle(element).position !== 'absolute'
    const found = (selector, also = () => true) => [...main.querySelectorAll(selector)].find((one) => isSeen(one) && also(one))
    const table = main.querySelector('table')
    const isAfterTable = (input) => table && table.compareDocumentPosition(input) & 4
    const parts = [...(heading?.closest('.mantine-Stack-root')?.children ?? [])].slice(1)
    return {
      heading: top(heading),
      actions: top(found('[data-page-actions]')),
      content: top(parts.find(isSeen)),
      tabs: top(found('[role=tablist]')),
      filters: top(found('input[aria-label]:not([type=checkbox])', (input) => !isAfterTable(input))),
      item: top(found('li')),
      columns: top(found('thead')),
      row: top(found('tbody tr')),
    }
  })()`
/** What is below this is not seen without scrolling. */
const FOLD = 780
/** An item of the review queue has a table or a text, and the rows of a model follow as many charts as it has prices. */
const UNKNOWN: Record<string, string[]> = {
  '/operator/review': ['columns', 'row'],
  '/prices/$provider/$resource': ['columns', 'row'],
  // Why nothing can be mailed comes first.
  '/account/watches': ['columns', 'row', 'content', 'item'],
  '/account/watch': ['columns', 'row', 'content', 'item'],
}
type Landmarks = Record<string, number | null>

describe('a page that is loading', { timeout: 600_000 }, () => {
  const db = testDatabase()
  const app = appBrowser(db, { env: { PRICETAPE_SECRET_KEY: SECRET_KEY } })
  let filled: Awaited<ReturnType<typeof fillApp>>
  beforeAll(async () => {
    filled = await fillApp(db.sql)
  })

  /** Of a page, once nothing moves any more. */
  async function landmarks(page: Page): Promise<Landmarks> {
    let last = ''
    for (;;) {
      const now = JSON.stringify(await page.evaluate(LANDMARKS))
      if (now === last) return JSON.parse(now)
      last = now
      await page.waitForTimeout(200)
    }
  }

  it('is in the table of pages', () => {
    const router = readFileSync(ROUTER, 'utf8')
    const paths = [...router.matchAll(/(?:path: |ublicPage\(|\bpage\()'([^']+)'/g)].map(([, path]) => path)
    const known = Object.keys({ ...dataPages(filled), ...visitorPages() })
    expect(known.toSorted()).toEqual([...new Set(paths)].toSorted())
  })

  it('has its head, its filters and its first row where they stay', async () => {
    const page = await app.person(filled.sessionToken)
    const moved: string[] = []
    const { '/workspaces': _, ...pages } = dataPages(filled)
    for (const [route, path] of Object.entries(pages)) {
      const release = await hold(page, /\/v1\/(?!session$)/)
      await page.goto(path)
      await page.locator('main h1').waitFor()
      await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'attached' })
      const before = await landmarks(page)
      await screenshots(page, `loading${path.split('?')[0]!.replace(/\W+/g, '-').slice(0, 40)}`)
      await release()
      await page.waitForLoadState('networkidle')
      await expect.poll(() => page.locator('[role=status][aria-label=Loading]').count()).toBe(0)
      const after = await landmarks(page)
      for (const [name, at] of Object.entries(after)) {
        const was = before[name]
        // What is further down follows lists whose length is not known, or that are inside of what is looked up.
        if (at === null || at > FOLD || UNKNOWN[route]?.includes(name)) continue
        if (!(was !== null && Math.abs(at - was!) <= MOST_MOVED)) moved.push(`${route}: ${name} ${was} → ${at}`)
      }
    }
    expect(moved).toEqual([])
  })
})
