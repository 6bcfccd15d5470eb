import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { appBrowser, hold, screenshots } from '../../support/app/app-browser.ts'
import { ALIKE, dataPages, fillApp } from '../../support/app/app-pages.ts'
import { testDatabase } from '../../support/database.ts'

const PALETTE = /^Find a page/
const NARROW = { width: 380, height: 800 }
/** Pages that are opened to fill in a form, with the field that is first. */
const FORMS: Record<string, string> = { '/webhooks/new': 'Name', '/account/watch': 'How often' }
const FORMS_OF_VISITORS = [
  ['/sign-in', 'E-mail address'],
  ['/sign-up', 'E-mail address'],
  ['/sign-up#token=x', 'Your name'],
  ['/forgot-password', 'E-mail address'],
  ['/reset-password#token=x', 'New password'],
] as const
const DIALOGS = [
  ['/keys', 'Create a key', 'Name'],
  ['/members', 'Invite people', 'E-mail address'],
  ['/workspaces', 'Create a workspace', 'Name'],
  ['/account', 'Set up', 'Your password'],
  ['/account', 'Delete my account', 'Your password'],
  ['/operator/aliases', 'Create a group', 'Name'],
] as const
/** The label of the field that has the focus; empty where none has. */
const FOCUSED = `(() => {
  const field = document.activeElement
  return field?.matches('input, textarea, select') ? (field.labels?.[0]?.textContent ?? field.ariaLabel ?? '?').replace(/ \\*$/, '') : ''
})()`
/** Whether the last character of each of these names is seen, wherever one is shown: nothing around it cuts it off. */
const ENDS_SEEN = `((names) => {
  const seen = {}
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const name = names.find((one) => node.data.length > 3 && (node.data.includes(one) || one.endsWith(node.data)))
    if (!name || node.parentElement.closest('title, script, [aria-hidden=true]')) continue
    const range = document.createRange()
    const end = node.data.includes(name) ? node.data.indexOf(name) + name.length : node.data.length
    range.setStart(node, end - 1)
    range.setEnd(node, end)
    const { right, bottom, width } = range.getBoundingClientRect()
    let isSeen = width > 0
    for (let box = node.parentElement; box; box = box.parentElement) {
      if (getComputedStyle(box).overflowX !== 'hidden') continue
      const around = box.getBoundingClientRect()
      if (right > around.right + 1 || bottom > around.bottom + 1) isSeen = false
    }
    seen[name] = (seen[name] ?? true) && isSeen
  }
  return seen
})(${JSON.stringify(ALIKE)})`
const BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

describe('the app', { timeout: 600_000 }, () => {
  const db = testDatabase()
  const app = appBrowser(db, { env: { PRICETAPE_SECRET_KEY: SECRET_KEY, PRICETAPE_SIGN_UP: 'open' } })
  let filled: Awaited<ReturnType<typeof fillApp>>
  beforeAll(async () => {
    filled = await fillApp(db.sql)
  })

  const operator = (): Promise<Page> => app.person(filled.sessionToken)
  async function shown(page: Page, path: string): Promise<void> {
    await page.goto('/icon.svg')
    await page.goto(path)
    await page.locator('main h1').waitFor()
    await page.waitForLoadState('networkidle')
    await expect.poll(() => page.locator('[role=status][aria-label=Loading]').count()).toBe(0)
  }

  it('has the focus on the first field where a page is a form, and on none where it is read', async () => {
    const page = await operator()
    const found: Record<string, string> = {}
    const expected: Record<string, string> = {}
    for (const [route, path] of Object.entries(dataPages(filled))) {
      await shown(page, path)
      found[route] = await page.evaluate(FOCUSED)
      expected[route] = FORMS[route] ?? ''
    }
    await shown(page, '/operator/prices')
    found.correct = await page.evaluate(FOCUSED)
    expect(found).toEqual({ ...expected, correct: 'Provider' })
    const visitor = await app.person()
    for (const [path, field] of FORMS_OF_VISITORS) {
      await shown(visitor, path)
      expect([path, await visitor.evaluate(FOCUSED)]).toEqual([path, field])
    }
  })

  it('has the focus on the first field of a dialog, and of a form that a link of the page leads to', async () => {
    const page = await operator()
    for (const [path, button, field] of DIALOGS) {
      await shown(page, path)
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('dialog').waitFor()
      await expect.poll(() => page.evaluate(FOCUSED), { message: `${path}: ${button}` }).toBe(field)
    }
    await shown(page, dataPages(filled)['/webhooks/$webhookId/verify']!)
    await page.getByRole('button', { name: 'Check a request', exact: true }).click()
    expect(await page.evaluate(FOCUSED)).toBe('Headers')
    // Come to from another page, and through the palette: what had the focus before does not get it back.
    await page.goto('/webhooks')
    await page.getByRole('link', { name: 'Create a webhook' }).click()
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Name')
    await page.goto('/prices')
    await page.getByRole('button', { name: 'Find' }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(PALETTE).fill('create a webhook')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create a webhook' }).waitFor()
    await page.waitForTimeout(600)
    await expect.poll(() => page.evaluate(FOCUSED)).toBe('Name')
  })

  it('opens no keyboard of a telephone by itself', async () => {
    const page = await app.person()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setDeviceMetricsOverride', { ...NARROW, deviceScaleFactor: 1, mobile: true })
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await shown(page, '/sign-in')
    expect(await page.evaluate("matchMedia('(pointer: coarse)').matches")).toBe(true)
    expect(await page.evaluate(FOCUSED)).toBe('')
  })

  it('acts on no key of the first moments of a page, and loses nothing that is typed for the palette', async () => {
    const page = await operator()
    const release = await hold(page, /\/v1\/operator\/review|\/assets\/palette-/)
    await page.goto('/operator/review')
    await page.getByRole('heading', { name: 'Review' }).waitFor()
    for (const key of ['a', 'd', 'r', 'e', ' ']) await page.keyboard.press(key)
    await page.keyboard.press('Control+k')
    await page.keyboard.type('adraudit')
    for (let n = 0; n < 'audit'.length; n++) await page.keyboard.press('Backspace')
    await release()
    await page.getByPlaceholder(PALETTE).waitFor()
    await expect.poll(() => page.getByPlaceholder(PALETTE).inputValue()).toBe('adr')
    await page.keyboard.press('Escape')
    await page.getByText('1 item waits').waitFor()
    expect(await page.getByText(/sent in a few seconds|decided here/).count()).toBe(0)
    expect(await openReviewItems(db.sql, 10)).toHaveLength(1)
  })

  it('shows names that differ in their last character in full or cut in the middle, also at 380 pixels', async () => {
    const page = await operator()
    await db.sql`
      update event set resources = array[${ALIKE[0]!}] where event_id in (select event_id from delivery limit 1)`
    const seen = async (where: string) =>
      expect([where, await page.evaluate(ENDS_SEEN)]).toEqual([where, expect.objectContaining({ [ALIKE[0]!]: true })])
    for (const viewport of [NARROW, { width: 1280, height: 800 }]) {
      await page.setViewportSize(viewport)
      for (const path of [
        '/prices?q=sonnet',
        '/prices?q=sonnet&tab=sellers',
        `/prices/openai/${ALIKE[0]}`,
        `/compare?of=${encodeURIComponent(JSON.stringify(ALIKE.map((one) => ['openai', one])))}`,
        `/webhooks/${filled.webhookId}?q=sonnet`,
      ]) {
        await shown(page, path)
        await page.getByText(ALIKE[0]!.slice(0, 20)).first().waitFor()
        await seen(`${path} at ${viewport.width}`)
        expect(await page.evaluate(BEYOND), path).toBe(0)
      }
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder(PALETTE).fill('sonnet')
      await page.locator('[data-action]', { hasText: ALIKE[1]! }).first().waitFor()
      await seen(`the palette at ${viewport.width}`)
    }
  })

  it('keeps the names of models where they are while every column is scrolled past them at 380 pixels', async () => {
    const page = await operator()
    await page.setViewportSize(NARROW)
    const columns = [
      'model',
      'maker',
      'input',
      'output',
      'cacheRead',
      'cacheWrite',
      'cost',
      'context',
      'audioIn',
      'audioOut',
    ]
    for (const tab of ['', '&tab=sellers', '&tab=machines']) {
      await shown(page, `/prices?columns=${encodeURIComponent(JSON.stringify(columns))}${tab}`)
      expect(await page.evaluate(BEYOND), tab).toBe(0)
    }
    await shown(page, `/prices?columns=${encodeURIComponent(JSON.stringify(columns))}`)
    const table = page.getByRole('region', { name: 'Prices of models' })
    const name = table.getByRole('link', { name: 'GPT-4o', exact: true }).first()
    await name.waitFor()
    await screenshots(page, 'prices-every-column')
    await page.setViewportSize(NARROW)
    const scrolled = await table.evaluate((one) => {
      const scroller = one as unknown as { scrollLeft: number }
      scroller.scrollLeft = 9_999
      return scroller.scrollLeft
    })
    expect(scrolled).toBeGreaterThan(100)
    const { x, width } = (await name.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + Math.min(width, 10)).toBeLessThan(NARROW.width)
  })
})
