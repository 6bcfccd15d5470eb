import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { DAY, instantOf } from '../../../src/lib/instant.ts'
import { decideReview } from '../../../src/prices/review/decide-review.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { openReviewItems } from '../../../src/prices/store/review-store.ts'
import { model, models, observed } from '../../prices/observed.ts'
import { priceNow, snapshot } from '../../prices/support.ts'
import { addAccount, addOperator, PASSWORD } from '../../support/accounts.ts'
import { appBrowser, screenshots } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'

const DAYS_AGO = 20

describe('an operator who decides by keyboard', { timeout: 240_000 }, () => {
  const db = testDatabase({ each: true })
  const app = appBrowser(db)

  /** Holds a change of each of these resources, a thousand times too high, in the order in which they wait. */
  async function hold(...resources: string[]): Promise<void> {
    for (const [n, resource] of resources.entries()) {
      const provider = `seller-${n}`
      const pixels = (price: string): Observation[] => [
        observed(resource, 'input_pixels', price, { provider, unit: 'usd_per_pixel' }),
      ]
      const priced = (isHigh: boolean) => [
        ...models(8, { provider }),
        ...(resource === 'pixels'
          ? pixels(isHigh ? '0.00002' : '0.00000002')
          : model(resource, isHigh ? 0.002 : 0.000002, { provider })),
      ]
      for (const isHigh of [false, true]) {
        const at = instantOf(Date.now() - (DAYS_AGO - 2 * n - Number(isHigh)) * DAY)
        await snapshot(db.sql, `list-${n}`, priced(isHigh), { at })
      }
    }
    expect(await waiting()).toBe(resources.length)
  }
  /** What is held of a resource changes: its output price no longer is. */
  const change = (resource: string) =>
    db.sql`
      update price_line set held_hash = null, held_since = null
      where resource = ${resource} and dimension = 'output_tokens'`
  const waiting = async () => (await openReviewItems(db.sql, 100)).length

  /** The review page, with what tests look at and do in it. */
  async function review() {
    const page = await app.person((await addOperator(db.sql)).sessionToken)
    await page.goto('/operator/review')
    const reason = page.getByLabel('Why you decide so')
    const pending = page.getByText(/sent in a few seconds/)
    return { page, reason, pending, press: pressIn(page), shows: shownIn(page) }
  }
  const pressIn =
    (page: Page) =>
    async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
  const shownIn = (page: Page) => (resource: string) =>
    page.getByRole('region', { name: 'The item' }).getByRole('heading', { name: resource }).waitFor()
  /** A field keeps its keys: one leaves it first. */
  const leaveField = (page: Page) => page.getByRole('heading', { name: 'Review' }).click()

  it('decides what is shown, and nothing in its place when it left the list', async () => {
    await hold('first', 'second', 'third')
    const { page, reason, pending, press, shows } = await review()
    await shows('first')
    await page.getByRole('cell', { name: '+99,900% up', exact: true }).first().waitFor()
    await reason.fill('announced')
    await leaveField(page)
    await press('a')
    await shows('second')
    expect(await reason.inputValue()).toBe('')

    const [, second] = await openReviewItems(db.sql, 100)
    const other = { decision: 'reject' as const, actor: 'rita@example.com', reason: 'a unit' }
    await decideReview(db.sql, { reviewId: second!.reviewId, ...other })
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('This item left the list while you were looking at it.').waitFor()
    await page.getByText(/rita@example.com rejected it/).waitFor()
    await press('a', 'r', 'e')
    expect([await pending.count(), await waiting()]).toEqual([0, 1])
    await shows('second')
    await press('j')
    await shows('third')
    await press('r')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('2 decided here').waitFor()
    const decided =
      await db.sql`select decision_reason as reason from review where decided_by = 'olga@example.com' order by decided_at`
    expect(decided.map((row) => row.reason)).toEqual(['announced', 'reviewed'])
  })

  it('shows what ends by itself where one asks for it', async () => {
    await hold('asked')
    const quiet = [...models(8, { provider: 'calm' }), ...model('trebled', 0.000001, { provider: 'calm' })]
    await snapshot(db.sql, 'calm', quiet, { at: instantOf(Date.now() - 15 * DAY) })
    const trebled = [...models(8, { provider: 'calm' }), ...model('trebled', 0.000004, { provider: 'calm' })]
    await snapshot(db.sql, 'calm', trebled, { at: instantOf(Date.now() - DAY / 4) })
    const { page } = await review()
    const item = (resource: string) =>
      page.getByRole('list', { name: 'Items that wait' }).getByRole('button', { name: resource })
    await item('asked').waitFor()
    expect(await item('trebled').count()).toBe(0)
    await page.getByRole('switch', { name: 'Include items that resolve themselves' }).press('Space')
    await item('trebled').waitFor()
  })

  it('asks before it decides what is selected and not shown', async () => {
    await hold('first', 'second')
    const { page, pending, press, shows } = await review()
    await shows('first')
    await press('Space', 'j')
    await shows('second')
    await page.getByRole('button', { name: /^Approve 1 selected/ }).waitFor()
    await press('a')
    const dialog = page.getByRole('dialog', { name: 'Approve 1 item?' })
    await dialog.getByText(/first/).waitFor()
    await press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByText('1 selected', { exact: true }).waitFor()
    expect(await pending.count()).toBe(0)
    // The keys work too where a checkbox was clicked; there the space bar is its own.
    await page.getByLabel('1 selected').click()
    await page.getByLabel('2 selected').press('Space')
    await page.getByLabel('Select all').press('Space')
    await press('r')
    await page.getByRole('dialog', { name: 'Reject 2 items?' }).waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await press('Escape', 'a')
    await pending.waitFor()
    await shows('first')
  })

  it('types prices in the unit that is shown, and keeps what is typed until it is published', async () => {
    await hold('pixels', 'second')
    const { page, press, shows } = await review()
    await shows('pixels')
    await press('e')
    const price = page.getByLabel('Price of pixels, input pixels, in USD per million pixels')
    expect(await price.inputValue()).toBe('20')
    await price.fill('2,5')
    await leaveField(page)
    await press('u')
    await page.getByText('Nothing to undo').waitFor()
    await press('j')
    await shows('second')
    await press('k')
    await shows('pixels')
    expect(await price.inputValue()).toBe('2,5')
    const publish = page.getByRole('button', { name: 'Publish these prices' })
    await publish.click()
    await page.getByText(/“2,5” is not a price\. Write a price such as 2\.5/).waitFor()
    await price.fill('2.5')
    await publish.click()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('1 decided here').waitFor()
    expect(await priceNow(db.sql, 'pixels', 'input_pixels')).toBe('0.0000025')
  })

  it('has all decisions sent when the page is left, and is notified on the next page when one was not', async () => {
    await hold('first', 'second', 'third')
    const { page, press, shows } = await review()
    await shows('first')
    await press('a')
    await shows('second')
    await press('r')
    await shows('third')
    await page.goto('about:blank')
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1)

    await page.goto('/operator/review')
    await shows('third')
    app.expected.push(/net::ERR_FAILED/)
    await page.route('**/v1/operator/review/decisions', (route) => route.abort())
    await press('a')
    await page.getByRole('link', { name: 'Sources' }).first().click()
    await page.getByText('1 decision was not sent').waitFor()
    await page.getByText(/About: third\. Open Review/).waitFor()
    expect(await waiting()).toBe(1)
  })

  it('decides nothing that changed since it was shown, says so, and shows it again', async () => {
    await hold('first', 'second', 'third', 'fourth')
    const { page, pending, press, shows } = await review()
    await shows('first')
    await page.getByRole('cell', { name: '+99,900% up', exact: true }).first().waitFor()
    await change('first')
    await press('a')
    await shows('second')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Not decided: first').waitFor()
    await page.getByText('This item changed since you saw it. Look at it again, then decide.').waitFor()
    await screenshots(page, 'operator-review-changed')
    expect([await waiting(), await priceNow(db.sql, 'first')]).toEqual([4, '0.000002'])
    await page.getByRole('button', { name: 'Look at it again' }).click()
    await shows('first')
    await page.getByRole('button', { name: 'Look at it again' }).waitFor({ state: 'hidden' })
    await page.getByRole('cell', { name: /^Output tokens/ }).waitFor({ state: 'hidden' })
    // Its new details are there: until then a decision would be about the old ones, and refused.
    await page.getByRole('cell', { name: /^Input tokens/ }).waitFor()

    // What changes under the eyes of its reader is decided once they have read it.
    await press('r')
    await shows('second')
    await page.getByRole('cell', { name: /^Output tokens/ }).waitFor()
    await change('second')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('This item changed while you were looking at it.').waitFor()
    await screenshots(page, 'operator-review-changed-open')
    await press('a', 'r', 'e')
    expect(await pending.count()).toBe(0)
    await page.getByRole('button', { name: 'I have read it' }).click()
    await press('a')
    await shows('third')

    // A batch decides what its preview showed.
    await press('Space', 'j', 'Space', 'r')
    const dialog = page.getByRole('dialog', { name: 'Reject 2 items?' })
    await dialog.getByRole('button', { name: 'Reject 2' }).waitFor()
    await change('third')
    await press('Enter')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('Not decided: third').waitFor()
    await page.getByText('3 decided here').waitFor()
    const decided = await db.sql`select provider, decision from review where decided_at is not null order by provider`
    expect(decided).toEqual([
      { provider: 'seller-0', decision: 'rejected' },
      { provider: 'seller-1', decision: 'approved' },
      { provider: 'seller-3', decision: 'rejected' },
    ])
  })

  it('confirms a batch by Enter also where the dialog takes the focus after the preview was answered', async () => {
    await hold('first', 'second')
    const { page, press, shows } = await review()
    await shows('first')
    // On a busy machine the timers of the dialog run after the answer.
    await page.evaluate(`{
      const later = setTimeout
      globalThis.setTimeout = (work, ms) => later(work, ms ?? 1500)
    }`)
    await press('Space', 'j', 'Space', 'r')
    const dialog = page.getByRole('dialog', { name: 'Reject 2 items?' })
    await dialog.getByRole('button', { name: 'Reject 2' }).waitFor()
    await page.waitForTimeout(2_000)
    await press('Enter')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('2 decided here').waitFor()
  })

  it('names in one place all items of a batch that were not decided, on this page and on another', async () => {
    await hold('first', 'second', 'third')
    const { page, press, shows } = await review()
    const batch = async (count: number) => {
      await page.getByLabel('Select all').press('Space')
      await leaveField(page)
      await press('r')
      const dialog = page.getByRole('dialog', { name: `Reject ${count} items?` })
      await dialog.getByRole('button', { name: `Reject ${count}` }).waitFor()
    }
    const said = page.getByText(/not decided/)
    await shows('first')
    await batch(3)
    await change('first')
    await change('second')
    await press('Enter')
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByText('2 items were not decided').waitFor()
    expect([await said.count(), await page.getByRole('button', { name: 'Look at it again' }).count()]).toEqual([1, 2])
    await screenshots(page, 'operator-review-several-changed')

    await page.reload()
    await shows('first')
    await batch(2)
    for (const { reviewId } of await openReviewItems(db.sql, 100))
      await decideReview(db.sql, { reviewId, decision: 'reject', actor: 'rita@example.com', reason: 'a unit' })
    await press('Enter')
    await page.getByText(/sent in a few seconds/).waitFor()
    await page.getByRole('link', { name: 'Sources' }).first().click()
    await page.getByText('2 items were not decided').waitFor()
    await page.getByText(/About: first, second\. Open Review/).waitFor()
    expect(await said.count()).toBe(1)
  })

  it('has decisions sent before it signs out, and stays signed in when one cannot be', async () => {
    await hold('first', 'second')
    const { page, press, shows } = await review()
    const signOut = async () => {
      await page.getByRole('button', { name: /^Account of/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await shows('first')
    app.expected.push(/net::ERR_FAILED/)
    await page.route('**/v1/operator/review/decisions', (route) => route.abort())
    await press('a')
    await shows('second')
    await signOut()
    await page.getByText('Not signed out').waitFor()
    await page.getByText('1 decision was not sent. It is kept here.').waitFor()
    expect(await waiting()).toBe(2)
    await page.unroute('**/v1/operator/review/decisions')
    await press('r')
    await signOut()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const decided =
      await db.sql`select decision, decided_by as by from review where decided_at is not null order by decision`
    expect(decided).toEqual([
      { decision: 'approved', by: 'olga@example.com' },
      { decision: 'rejected', by: 'olga@example.com' },
    ])
  })

  it('decides in no one else’s name, who signed in in another tab', async () => {
    await hold('first', 'second')
    const { page, press, shows } = await review()
    await shows('first')
    await press('a')
    await shows('second')
    const other = await addAccount(db.sql, 'rita@example.com')
    await db.sql`update account set operator = true where email = 'rita@example.com'`
    app.expected.push(/status of 401/)
    await app.signIn(page, other.sessionToken)
    await page.getByText('1 decision of yours is sent when you have signed in.').waitFor()
    await screenshots(page, 'operator-review-someone-else')
    expect(await waiting()).toBe(2)
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('1 decided here').waitFor()
    const decided = await db.sql`select decided_by as by from review where decided_at is not null`
    expect(decided).toEqual([{ by: 'olga@example.com' }])
  })

  it('presses buttons and works in menus with the same keys, and decides once with a key that is held down', async () => {
    await hold('first', 'second', 'third')
    const { page, pending, press, shows } = await review()
    await shows('first')
    await page.getByRole('button', { name: /^Keys/ }).focus()
    await press('Space')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await press('a', 'Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByRole('menuitem', { name: 'Account and sessions' }).waitFor()
    await press('a', 'r', 'j')
    await press('Escape')
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await shows('first')
    expect(await pending.count()).toBe(0)
    await page.getByText('Select all').waitFor()
    await leaveField(page)
    for (let n = 0; n < 3; n++) await page.keyboard.down('a')
    await page.keyboard.up('a')
    await page.getByText('1 decision is sent in a few seconds.').waitFor()
    await shows('second')
  })
})
