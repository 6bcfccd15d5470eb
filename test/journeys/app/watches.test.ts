import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { DAY, type Instant, instantOf } from '../../../src/lib/instant.ts'
import { ingestPrices } from '../../../src/prices/ingest/ingest-prices.ts'
import { planMails } from '../../../src/watches/plan-mails.ts'
import { observed } from '../../prices/observed.ts'
import { addAccount, PASSWORD } from '../../support/accounts.ts'
import { appBrowser, expectFits, inspect } from '../../support/app/app-browser.ts'
import { byKeyboard } from '../../support/app/keyboard.ts'
import { testDatabase } from '../../support/database.ts'
import { testOutbox } from '../../support/outbox.ts'
import { startMailServer } from '../../support/servers/mail-server.ts'

const ORIGIN = 'http://prices.test'
const SOURCE = sourceDeclaration.parse({ source: 'list', format: 'hand' })
const now = () => instantOf(Date.now())

const db = testDatabase()
const app = appBrowser(db, {
  env: {
    PRICETAPE_PUBLIC_PAGES: 'true',
    PRICETAPE_PUBLIC_URL: ORIGIN,
    SMTP_URL: 'smtp://127.0.0.1:2525',
    PRICETAPE_MAIL_FROM: 'p@example.com',
  },
})
const withoutMails = appBrowser(db, { env: { PRICETAPE_PUBLIC_PAGES: 'true' } })

/** The list of prices is read, and has this price. */
const publishPrice = async (price: string, at: Instant = now()) =>
  ingestPrices(db.sql, {
    ...{ source: SOURCE, parserVersion: 1, at },
    snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from(price), at }),
    parsed: {
      ...{ providers: [{ provider: 'openai', name: 'OpenAI' }], ignored: [] },
      observations: [observed('gpt-5', 'input_tokens', price, { provider: 'openai' })],
    },
  })

type Node = { ownerDocument: { activeElement: unknown } }
const isFocused = (node: Node): boolean => node === node.ownerDocument.activeElement

describe('people without a server', () => {
  let smtp: Awaited<ReturnType<typeof startMailServer>>
  beforeAll(async () => {
    smtp = await startMailServer()
    await publishPrice('0.0000025', instantOf(Date.now() - 2 * DAY))
    await saveGroup(db.sql, { name: 'GPT-5', members: [{ provider: 'openai', resource: 'gpt-5' }], actor: 'a test' })
    await addAccount(db.sql, 'nora@example.com')
  })
  afterAll(() => smtp.stop())
  beforeEach(async () => {
    await db.sql`delete from watch`
  })

  /** What the next check does. */
  async function mailed() {
    smtp.received.length = 0
    await planMails(db.sql, now())
    await testOutbox(db.sql, smtp, { publicUrl: ORIGIN }).send()
    return smtp.received.map(({ to, text }) => ({ to: to[0], text }))
  }
  const pathIn = (text: string) => /http:\/\/prices\.test(\/unsubscribe\/\S+)/.exec(text)![1]!

  async function signIn(page: Page) {
    const keyboard = byKeyboard(page)
    await keyboard.type(page.getByLabel(/^E-mail address/), 'nora@example.com')
    await keyboard.type(page.getByLabel(/^Password/), PASSWORD)
    await keyboard.press(page.getByRole('button', { name: 'Sign in', exact: true }))
  }

  it('watch a model by keyboard, get its new price by mail, and end that with a click of the mail', async () => {
    const page = await app.person()
    const keyboard = byKeyboard(page)
    await page.goto('/prices/openai/gpt-5')
    await keyboard.press(page.getByRole('link', { name: 'Watch by e-mail' }))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page)
    await page.getByRole('heading', { name: 'Watch gpt-5 at OpenAI' }).waitFor()
    const howOften = page.getByRole('combobox', { name: 'How often' })
    await expect.poll(() => howOften.evaluate(isFocused)).toBe(true)
    expect(await howOften.inputValue()).toBe('At once')
    await inspect(page, 'watch')
    await expectFits(page)
    await keyboard.type(page.getByLabel('Smallest price change'), '5')
    await keyboard.press(page.getByRole('button', { name: 'Watch', exact: true }))
    await page.getByRole('heading', { name: 'What you watch' }).waitFor()
    await page.getByRole('row', { name: /gpt-5 at OpenAI.*At once.*price changes from 5%/ }).waitFor()
    await inspect(page, 'watches')
    await expectFits(page)

    await publishPrice('0.000002')
    const [mail] = await mailed()
    expect(mail!.to).toBe('nora@example.com')
    expect(mail!.text).toContain('gpt-5 at OpenAI fell: input tokens 2.50 → 2.00 USD per million tokens (−20%)')
    expect(mail!.text).toContain(`${ORIGIN}/prices/openai/gpt-5\n`)
    expect(await mailed()).toEqual([])

    // The link opens for anyone who reads the mail, without a session.
    const anyone = await app.person()
    await anyone.goto(pathIn(mail!.text))
    await anyone.getByRole('heading', { name: 'Unsubscribe?' }).waitFor()
    await anyone.getByText('gpt-5 at OpenAI').waitFor()
    await inspect(anyone, 'unsubscribe')
    await byKeyboard(anyone).press(anyone.getByRole('button', { name: 'Unsubscribe' }))
    await anyone.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
    await publishPrice('0.0000018')
    expect(await mailed()).toEqual([])

    // They may want it again.
    await page.reload()
    await page.getByText('paused', { exact: true }).waitFor()
    await keyboard.choose(
      page.getByRole('button', { name: 'Actions for gpt-5 at OpenAI' }),
      page.getByRole('menuitem', { name: 'Resume' }),
    )
    await page.getByText('paused', { exact: true }).waitFor({ state: 'detached' })
    await publishPrice('0.0000021')
    const [again] = await mailed()
    expect(again!.text).toContain('gpt-5 at OpenAI rose: input tokens 1.80 → 2.10 USD per million tokens (+17%)')
    const oneClick = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }
    expect((await fetch(app.url + pathIn(again!.text), oneClick)).status).toBe(200)
    await page.reload()
    await page.getByText('paused', { exact: true }).waitFor()
  })

  it('change how often they are mailed, watch a group and a seller too, and stop', async () => {
    const page = await app.person()
    const keyboard = byKeyboard(page)
    const { accountId } = await addAccount(db.sql, 'ivan@example.com')
    await db.sql`delete from watch`
    await db.sql`
      insert into watch (account_id, provider, resource, frequency, after_seq, created_at, updated_at)
      values (${accountId}, 'openai', 'gpt-5', 'daily', 0, now(), now())`
    await page.goto('/sign-in?next=/prices/openai/gpt-5')
    await keyboard.type(page.getByLabel(/^E-mail address/), 'ivan@example.com')
    await keyboard.type(page.getByLabel(/^Password/), PASSWORD)
    await keyboard.press(page.getByRole('button', { name: 'Sign in', exact: true }))
    // What is watched already is changed.
    await keyboard.press(page.getByRole('link', { name: 'Watch by e-mail' }))
    const howOften = page.getByRole('combobox', { name: 'How often' })
    await expect.poll(() => howOften.inputValue()).toBe('Daily')
    await howOften.click()
    await page.getByRole('option', { name: 'Weekly' }).click()
    await page.getByText('on Mondays at 07:00 UTC').waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByRole('row', { name: /gpt-5 at OpenAI.*Weekly/ }).waitFor()
    const [group] = await db.sql<{ id: string }[]>`select group_id as id from alias_group`
    for (const [path, name] of [
      [`/compare/${group!.id}`, 'GPT-5'],
      ['/prices?providers=%5B%22openai%22%5D', 'OpenAI'],
    ] as const) {
      await page.goto(path)
      await keyboard.press(page.getByRole('link', { name: 'Watch by e-mail' }))
      await page.getByRole('heading', { name: `Watch ${name}`, exact: true }).waitFor()
      await keyboard.press(page.getByRole('button', { name: 'Watch', exact: true }))
      await page.getByRole('link', { name, exact: true }).waitFor()
    }
    expect(await page.getByRole('row').count()).toBe(4)
    await keyboard.choose(
      page.getByRole('button', { name: 'Actions for GPT-5', exact: true }),
      page.getByRole('menuitem', { name: 'Stop watching' }),
    )
    await keyboard.press(page.getByRole('dialog').getByRole('button', { name: 'Stop watching' }))
    await expect.poll(() => page.getByRole('row').count()).toBe(3)
  })

  it('are told why no mail can be sent, and what is missing', async () => {
    const page = await withoutMails.person((await addAccount(db.sql, 'eve@example.com')).sessionToken)
    await page.goto('/account/watch?provider=openai&resource=gpt-5')
    await page.getByText('Mails cannot be sent').waitFor()
    await page.getByText('SMTP_URL and PRICETAPE_MAIL_FROM').waitFor()
    expect(await page.getByRole('button', { name: 'Watch', exact: true }).isDisabled()).toBe(true)
    await inspect(page, 'watch-without-mails')
    await page.goto('/account/watches')
    await page.getByText('You watch nothing yet').waitFor()
    await page.goto('/account/watch')
    await page.getByText('Choose what to watch first').waitFor()
  })
})
