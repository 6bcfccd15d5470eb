import { execFile } from 'node:child_process'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { createFirstGroups } from '../../../src/aliases/create-first-groups.ts'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import type { StatedFact } from '../../../src/catalog/facts/fact-schema.ts'
import { recordFacts } from '../../../src/catalog/facts/record-facts.ts'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { priceChangedEvent } from '../../../src/events/payloads/price-changed.ts'
import { resourceAddedEvent } from '../../../src/events/payloads/resource-added.ts'
import { recordEvents } from '../../../src/events/store.ts'
import { DAY, HOUR, instantOf, MINUTE } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { BUILT_APP } from '../../../src/pages/app-folder.ts'
import { importHistory } from '../../../src/roles/import-history.ts'
import { ingestDocument } from '../../../src/terms/ingest/ingest-document.ts'
import { addOperator } from '../../support/accounts.ts'
import { appBrowser, expectFits, hold, inspect, screenshots } from '../../support/app/app-browser.ts'
import { byKeyboard } from '../../support/app/keyboard.ts'
import { testDatabase } from '../../support/database.ts'
import { isolation } from '../../support/isolation.ts'
import { recordMachines } from '../../support/machines.ts'
import { publish, seedProviders } from '../../support/prices.ts'
import { declareDocument, eventsOf } from '../../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../../terms/texts.ts'

const SOURCE = sourceDeclaration.parse({ source: 'genai-prices', format: 'genai-prices', bundled: true })
const PAST = '2026-03-01T00:00:00Z'

const db = testDatabase()
const app = appBrowser(db, { keepsPages: true })
const publicApp = appBrowser(db, { env: { PRICETAPE_PUBLIC_PAGES: 'true' } })
let session: string
let key: string

/** Real prices: the bundled snapshots of a year. */
beforeAll(async () => {
  await importHistory(db.sql, [SOURCE], { progress: { say: () => {} } })
  await recordMachines(db.sql, instantOf(Date.now() - DAY))
  await createFirstGroups(db.sql)
  const operator = await addOperator(db.sql)
  session = operator.sessionToken
  key = (await createApiKey(db.sql, { workspaceId: operator.workspaceId, name: 'k' })).key
})

const reader = (): Promise<Page> => app.person(session)

/** Pastes a command into a shell, as someone does who copied it. Returns the rows of all answers. */
async function paste(command: string): Promise<{ provider: string; resource: string }[]> {
  const env = { ...process.env, PRICETAPE_API_KEY: key }
  const { stdout } = await promisify(execFile)('bash', ['-c', command.replaceAll('curl ', 'curl -s ')], {
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
    .split(/(?<=\])\}(?=\{|$)/)
    .filter((text) => text.trim() !== '')
    .flatMap((text) => JSON.parse(`${text}}`).prices)
}

async function shownCommand(page: Page): Promise<{ command: string; about: string }> {
  const keyboard = byKeyboard(page)
  await keyboard.choose(
    page.getByRole('button', { name: 'Export' }),
    page.getByRole('menuitem', { name: 'Show the request' }),
  )
  const dialog = page.getByRole('dialog')
  const command = await dialog.locator('pre').textContent()
  const about = await dialog.locator('p').first().textContent()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  return { command: command!, about: about! }
}

/** Finds more than the first results, a comparison, and what the open page offers. */
async function findMore(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/^Find a page/).waitFor()
  await page.keyboard.type('4o')
  const found = page.getByRole('button', { name: /4o/ })
  await page.getByRole('button', { name: 'More models and machines …' }).waitFor()
  const before = await found.count()
  await page.getByRole('button', { name: 'More models and machines …' }).click()
  await expect.poll(() => found.count()).toBeGreaterThan(before)
  await page.getByRole('button', { name: 'Compare gpt-4o', exact: true }).waitFor()
  await page.getByPlaceholder(/^Find a page/).fill('as of')
  await found.first().waitFor({ state: 'hidden' })
  await page.keyboard.press('Enter')
  await page.getByLabel('Day of the recorded time').waitFor()
}

async function downloaded(page: Page): Promise<string[]> {
  const keyboard = byKeyboard(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    keyboard.choose(page.getByRole('button', { name: 'Export' }), page.getByRole('menuitem', { name: 'Download CSV' })),
  ])
  const path = join(tmpdir(), `pricetape-${process.pid}-${Date.now()}.csv`)
  await download.saveAs(path)
  const text = await readFile(path, 'utf8')
  await rm(path)
  return text.trimEnd().split('\r\n')
}

describe('the whole history as files', () => {
  it('is offered to signed-in users only', async () => {
    const page = await reader()
    await page.goto('/prices')
    await page.getByRole('button', { name: 'Export' }).click()
    const parquet = page.getByRole('menuitem', { name: 'Parquet, for DuckDB and pandas' })
    expect(await parquet.getAttribute('href')).toMatch(/^\/v1\/app\/export\?what=parquet&asOf=2\d{3}-/)
    expect(await page.getByRole('menuitem', { name: 'Proof of the CSV' }).getAttribute('href')).toContain('what=proof')
    const visitor = await publicApp.person()
    await visitor.goto('/prices')
    await visitor.getByRole('button', { name: 'Export' }).click()
    await visitor.getByRole('menuitem', { name: 'Download CSV' }).waitFor()
    expect(await visitor.getByText('Download the whole history').count()).toBe(0)
  })
})

describe('readers of prices, by keyboard alone', () => {
  it('find a model in everything that is served, and copy a request that returns the same rows', async () => {
    const page = await reader()
    const keyboard = byKeyboard(page)
    await page.goto('/prices?tab=sellers')
    const rows = page.getByText(/ of 1,\d{3} rows$/)
    await page.getByText(/^1,\d{3} of 1,\d{3} rows$/).waitFor()
    await inspect(page, 'prices')
    const all = await shownCommand(page)
    expect((await paste(all.command)).length).toBe(
      Number(/the ([\d,]+) price rows/.exec(all.about)![1]!.replace(',', '')),
    )

    await keyboard.type(page.getByRole('textbox', { name: 'Search' }), 'gpt-4o mini')
    await page.getByText(/^\d+ of 1,\d{3} rows$/).waitFor()
    const shown = Number((await rows.textContent())!.split(' ')[0])
    const { command, about } = await shownCommand(page)
    const found = await paste(command)
    expect(about).toContain(`returns the ${found.length} price rows behind this view`)
    expect(new Set(found.map(({ provider, resource }) => `${provider} ${resource}`)).size).toBe(shown)
    const csv = await downloaded(page)
    expect(csv).toHaveLength(found.length + 1)
    expect(csv[1]).toMatch(/^\w+,genai-prices,gpt-4o-mini|openai/)
    // Columns are chosen on a narrow screen too; the table scrolls sideways, the page does not.
    await page.setViewportSize({ width: 380, height: 800 })
    const head = page.getByRole('columnheader').first()
    const fromTop = async () => (await head.boundingBox())!.y
    await expect.poll(fromTop).toBeLessThan(500)
    await keyboard.press(page.getByRole('button', { name: 'Filters', exact: true }))
    await expect.poll(fromTop).toBeGreaterThan(500)
    await keyboard.press(page.getByRole('button', { name: 'Columns' }))
    await keyboard.press(page.getByRole('checkbox', { name: 'Cache read' }), 'Space')
    await page.getByRole('columnheader', { name: 'Cache read' }).waitFor()
    await expect.poll(() => page.getByRole('columnheader').count()).toBe(5)
    await expectFits(page)
    await keyboard.press(page.getByRole('button', { name: 'Reset columns' }))
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'Cache write' }).waitFor()

    await page.reload()
    expect(await page.getByRole('textbox', { name: 'Search' }).inputValue()).toBe('gpt-4o mini')
    await keyboard.press(page.getByRole('button', { name: /^Input/ }))
    await page.locator('th[aria-sort=ascending]', { hasText: 'Input' }).waitFor()
    await keyboard.press(page.getByLabel(/^Compare .* at OpenAI$/).first(), 'Space')
    await keyboard.press(page.getByLabel(/^Compare .* at (?!OpenAI)/).first(), 'Space')
    await page.getByText('2 rows of at most 6 chosen').waitFor()
    await keyboard.press(page.getByRole('link', { name: 'Compare' }))
    await page.getByRole('heading', { name: 'Compare' }).waitFor()
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' })
    await inspect(page, 'compare-chosen')
    // As many as can be chosen are drawn.
    const models = ['gpt-4o', 'gpt-4o-mini', 'chatgpt-4o-latest', 'ft:gpt-4o', 'ft:gpt-4o-mini', 'gpt-4o-2024-05-13']
    await page.goto(`/compare?of=${encodeURIComponent(JSON.stringify(models.map((model) => ['openai', model])))}`)
    const drawn = page.getByRole('group', { name: 'Lines of the chart' }).getByRole('checkbox', { checked: true })
    await expect.poll(() => drawn.count()).toBe(6)
    await page.goBack()
    await page.getByRole('heading', { name: 'Compare' }).waitFor()
    const compared = await shownCommand(page)
    expect(compared.about).toContain(`returns the ${(await paste(compared.command)).length} rows`)
  })

  it('find a model once with its sellers inside, and the one that asks least for a workload', async () => {
    const page = await reader()
    const keyboard = byKeyboard(page)
    await page.goto('/prices')
    await page.getByText(/^[\d,]+ of [\d,]+ models$/).waitFor()
    await page.locator('th[aria-sort=descending]', { hasText: 'Seller' }).waitFor()
    await inspect(page, 'models')
    await keyboard.type(page.getByRole('textbox', { name: 'Search' }), 'gpt-4o-mini')
    const sellers = page.getByRole('button', { name: 'Sellers of gpt-4o-mini', exact: true })
    await sellers.waitFor()
    const before = await page.getByRole('row').count()
    await keyboard.press(sellers)
    await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(before + 1)
    await keyboard.press(page.getByLabel(/^Compare gpt-4o-mini at OpenAI$/).first(), 'Space')
    await page.getByText('1 row of at most 6 chosen').waitFor()
    await inspect(page, 'models-open')
    await expectFits(page)
    // Another workload is in the address, and orders models.
    await keyboard.press(page.getByRole('button', { name: 'Workload: Chat' }))
    await keyboard.press(page.getByRole('button', { name: 'Agent with cache' }))
    await page.keyboard.press('Escape')
    await page.waitForURL(/tokens=2000/)
    await keyboard.press(page.getByRole('button', { name: /^Workload\s*USD/ }))
    await page.locator('th[aria-sort=ascending]', { hasText: 'Workload' }).waitFor()
    await keyboard.press(page.getByRole('link', { name: 'gpt-4o-mini', exact: true }).first())
    await page.waitForURL(/\/(compare|prices)\//)
  })

  it('find the newest models that take long requests, and read by whom that is stated', async () => {
    const stated = (resource: string, context: string, released: string): StatedFact[] => [
      { provider: 'openai', resource, fact: 'context', value: context },
      { provider: 'openai', resource, fact: 'released', value: released },
    ]
    await recordFacts(db.sql, 'genai-prices', [
      ...stated('gpt-4', '8192', '2023-03-14'),
      ...stated('gpt-4o', '128000', '2024-05-13'),
      ...stated('gpt-4.1', '1047576', '2025-04-14'),
    ])
    const page = await reader()
    const keyboard = byKeyboard(page)
    const columns = ['model', 'input', 'window', 'released']
    await page.goto(`/prices?columns=${encodeURIComponent(JSON.stringify(columns))}`)
    await page.getByText(/^[\d,]+ of [\d,]+ models$/).waitFor()
    await keyboard.press(page.getByRole('combobox', { name: 'Context window' }))
    await page.getByRole('option', { name: 'Context of 128K or more' }).click()
    await page.getByText(/^2 of [\d,]+ models$/).waitFor()
    await keyboard.press(page.getByRole('combobox', { name: 'Order' }))
    await page.getByRole('option', { name: 'Newest first' }).click()
    await page.locator('th[aria-sort=descending]', { hasText: 'Released' }).waitFor()
    const cells = async (row: number) => page.getByRole('row').nth(row).getByRole('cell').allTextContents()
    expect((await cells(1)).filter((_, n) => n !== 2).slice(1)).toEqual(['gpt-4.1', '1M', '2025-04-14'])
    expect((await cells(2)).filter((_, n) => n !== 2).slice(1)).toEqual(['gpt-4o', '128K', '2024-05-13'])
    await inspect(page, 'facts')
    await expectFits(page)
    await page.goto('/prices/openai/gpt-4.1')
    await page.getByText('1,047,576 tokens').waitFor()
    expect(await page.getByRole('term').allTextContents()).toEqual(['Context window', 'Released'])
    await inspect(page, 'model-facts')
  })

  it('see the history of a model as a chart with its rows, at every seller, and copy its request', async () => {
    const page = await reader()
    await page.goto('/prices/openai/gpt-4o')
    await page.getByRole('heading', { name: 'gpt-4o', exact: true }).waitFor()
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' })
    await page.getByRole('heading', { name: /at every seller$/ }).waitFor()
    await inspect(page, 'resource')
    await page.locator('.recharts-surface').first().hover()
    await page
      .getByText(/genai-prices · served · recorded 20\d\d-/)
      .first()
      .waitFor()
    const { command, about } = await shownCommand(page)
    const found = await paste(command)
    expect(about).toContain(`returns the ${found.length} rows`)
    const table = page.getByRole('heading', { name: 'All rows' }).locator('xpath=ancestor::section')
    expect(await table.getByRole('row').count()).toBe(found.length + 1)
    const watch = new URL(
      (await page.getByRole('link', { name: 'Watch with a webhook' }).getAttribute('href'))!,
      app.url,
    )
    expect([watch.pathname, watch.searchParams.get('provider'), watch.searchParams.get('resource')]).toEqual([
      '/webhooks/new',
      'openai',
      'gpt-4o',
    ])
    const correct = new URL((await table.getByRole('link', { name: 'Correct' }).first().getAttribute('href'))!, app.url)
    expect([correct.pathname, correct.searchParams.get('provider'), correct.searchParams.get('resource')]).toEqual([
      '/operator/prices',
      'openai',
      'gpt-4o',
    ])
    const keyboard = byKeyboard(page)
    // The workload of the address ranks the sellers, here and in the comparison.
    await page.getByText('Cheapest first, for the workload Chat × 1M.').waitFor()
    await page.goto('/prices/openai/gpt-4o?tokens=500,0,0,0,0&requests=2000')
    await page.getByText('Cheapest first, for the workload Embeddings × 2K.').waitFor()
    const sold = page.getByRole('heading', { name: /at every seller$/ }).locator('xpath=ancestor::section')
    expect((await sold.getByRole('row').nth(1).getByRole('cell').nth(1).textContent())?.trim()).toBe('2.50')
    await keyboard.press(page.getByRole('link', { name: 'Compare another workload, and their histories' }))
    await page.waitForURL(/compare(?=.*tokens=500)(?=.*requests=%222000)/)
    await page.locator('.recharts-line').nth(1).waitFor({ state: 'attached' })
    // Both sellers ask the same: no one is called the cheapest.
    await page.getByText('No difference in input and output together.').waitFor()
    expect(await page.getByText('cheapest', { exact: true }).count()).toBe(0)
    await screenshots(page, 'compare-group')
    const group = await shownCommand(page)
    expect(group.about).toContain(`returns the ${(await paste(group.command)).length} rows`)
    await findMore(page)
  })

  it('look at the past, which every page says', async () => {
    const page = await reader()
    await page.goto(`/prices?tab=sellers&asOf=${PAST}&q=gpt-5.6`)
    await page.getByText("You're viewing").waitFor()
    await page.getByText('Nothing matches').waitFor()
    await page.goto('/prices?tab=sellers&asOf=2020-01-01T00:00:00.000Z')
    await page.getByText('No prices at this instant').waitFor()
    await page.goto(`/prices?tab=sellers&asOf=${PAST}&q=gpt-5.6`)
    const keyboard = byKeyboard(page)
    await keyboard.press(page.getByRole('button', { name: '2026-03-01 00:00 UTC' }))
    await page.getByLabel('Day of the recorded time').waitFor()
    await inspect(page, 'as-of')
    // The slider stays open while the arrow keys move it.
    await keyboard.press(page.getByLabel('Day of the recorded time'), 'ArrowRight')
    await page.getByText('2026-03-02 00:00 UTC').first().waitFor()
    await keyboard.keys('ArrowRight')
    await page.getByText('2026-03-03 00:00 UTC').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByLabel('Day of the recorded time').waitFor({ state: 'hidden' })
    await keyboard.press(page.getByRole('button', { name: '2026-03-03 00:00 UTC' }))
    await keyboard.reach(page.getByRole('button', { name: '3 March 2026', exact: true }))
    await keyboard.reach(page.getByRole('button', { name: '1 March 2026', exact: true }), 'ArrowLeft')
    await keyboard.keys('Enter')
    await page.getByText('2026-03-01 00:00 UTC').first().waitFor()
    await keyboard.press(page.getByRole('button', { name: '2026-03-01 00:00 UTC' }))
    await keyboard.press(page.getByRole('button', { name: 'Now', exact: true }))
    await page.getByRole('link', { name: 'gpt-5.6-luna' }).first().waitFor()
    expect(page.url()).not.toContain('asOf')
    await page.goto(`/prices?tab=sellers&asOf=${PAST}&q=gpt-4o`)
    const { command } = await shownCommand(page)
    expect(command).toContain('asOf=2026-03-01T00:00:00.000Z')
    await page.goto(`/prices/openai/gpt-5.6-luna?asOf=${PAST}`)
    await page.getByText('No prices at this instant').waitFor()
    // Edited by hand: no one is asked to look at the past, and there is a way back.
    for (const path of ['/prices', '/prices/openai/gpt-4o', '/']) {
      await page.goto(`${path}?asOf=2099-01-01T00:00:00Z`)
      await page.getByText('2099-01-01 00:00 UTC is later than').waitFor()
      expect(await page.getByText("You're viewing").count()).toBe(0)
    }
    await keyboard.press(page.getByRole('button', { name: 'Back to now' }))
    await page.getByRole('heading', { name: 'What changed' }).waitFor()
    // Changes and documents are listed until now, also what is newer than the newest prices that can be read.
    for (const path of ['/', '/documents']) {
      await page.goto(path)
      await page.getByRole('button', { name: 'As of now' }).waitFor()
    }
  })

  it('see machines with their regions and spot prices', async () => {
    const page = await reader()
    await page.goto('/prices?tab=machines')
    await page.getByText('6 of 6 machines').waitFor()
    await inspect(page, 'machines')
    const keyboard = byKeyboard(page)
    const two = page.getByRole('row').filter({ hasText: '2x_A100-80GB_SECURE' })
    const cells = async () => (await two.first().getByRole('cell').allTextContents()).slice(1, 9)
    const prices = ['2', '2.78', '1.39', '2.38', '2x_A100-80GB_SECURE']
    expect(await cells()).toEqual(['A100-80GB', ...prices, '3 regions', 'RunPod'])
    // Its regions are inside it.
    await keyboard.press(two.first().getByRole('button', { name: 'Sellers of A100-80GB' }))
    await expect.poll(() => two.count()).toBe(4)
    await screenshots(page, 'machines-open')
    await keyboard.type(page.getByRole('textbox', { name: 'Search' }), 'a100 is')
    await page.getByText('2 of 6 machines').waitFor()
    const row = page.getByRole('row', { name: /^Compare 2x_A100-80GB_SECURE at RunPod/ })
    expect(await cells()).toEqual(['A100-80GB', ...prices, 'IS', 'RunPod'])
    const { command, about } = await shownCommand(page)
    // A request names no region: it says that it returns more than is shown.
    expect(about).toContain(`returns ${(await paste(command)).length} price rows: the 4 price rows behind this view`)
    await keyboard.press(row.getByRole('link', { name: 'A100-80GB', exact: true }))
    await page.getByRole('heading', { name: '2x_A100-80GB_SECURE' }).waitFor()
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' })
    await screenshots(page, 'machine')
  })

  it('compare a machine in two regions, on demand and on the spot market', async () => {
    const page = await reader()
    await page.goto('/prices?tab=machines&q=2x_A100')
    const keyboard = byKeyboard(page)
    await keyboard.press(page.getByRole('button', { name: 'Sellers of A100-80GB' }))
    const boxes = page.getByLabel('Compare 2x_A100-80GB_SECURE at RunPod')
    await expect.poll(() => boxes.count()).toBe(3)
    await keyboard.press(boxes.nth(0), 'Space')
    await keyboard.press(boxes.nth(1), 'Space')
    await keyboard.press(page.getByRole('link', { name: 'Compare' }))
    await page.getByRole('heading', { name: 'Compare' }).waitFor()
    await page.getByText('No difference in the price on demand.').waitFor()
    const table = page.getByRole('table').first()
    expect((await table.getByRole('columnheader').allTextContents()).map((text) => text.trim())).toEqual([
      'Seller',
      'On demandUSD / instance hour',
      'SpotUSD / instance hour',
    ])
    expect(await table.getByRole('row').count()).toBe(3)
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' })
    const labels = await page.getByRole('group', { name: 'Lines of the chart' }).locator('label').allTextContents()
    expect([labels.length, new Set(labels).size]).toEqual([4, 4])
    await screenshots(page, 'compare-machines')
    const { command, about } = await shownCommand(page)
    // A request names no region: it says that it returns more than is shown.
    expect(about).toContain(`returns ${(await paste(command)).length} rows: the 4 of this history and others`)
  })

  it('read what changed by day, with a feed for their reader that can be ended', async () => {
    const page = await reader()
    await recordChanges(db.sql)
    const keyboard = byKeyboard(page)
    await page.goto('/')
    await page.getByText('+25% up').waitFor()
    await page.getByText('12 resources at openrouter are new').waitFor()
    await keyboard.press(page.getByRole('button', { name: 'and 4 more' }))
    await page.getByText('meta/new-0', { exact: true }).waitFor()
    await inspect(page, 'changes')
    const levels = await page.evaluate<string>(
      "[...document.querySelectorAll('h1, h2, h3')].map((h) => h.tagName).join('')",
    )
    expect(levels).toMatch(/^H1(H2)+$/)
    await page.setViewportSize({ width: 380, height: 800 })
    await page.locator('section[aria-label] time:visible', { hasText: 'ago' }).first().waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await keyboard.reach(page.getByRole('radio', { name: 'Any' }))
    await keyboard.reach(page.getByRole('radio', { name: '▼ Down' }), 'ArrowRight')
    await page.getByText('+25% up').waitFor({ state: 'detached' })
    await page.getByText('−50% down').waitFor()
    await keyboard.press(page.getByRole('button', { name: 'Create feed URL' }))
    const address = await page.getByText('/changes.atom').textContent()
    expect(address).toMatch(/changes\.atom\?direction=down$/)
    const atom = await (await fetch(address!)).text()
    expect(atom.match(/<entry>/g)).toHaveLength(1)
    const asked = page.getByRole('dialog')
    await keyboard.press(page.getByRole('button', { name: 'Rotate URL' }))
    await keyboard.press(asked.getByRole('button', { name: 'Cancel' }))
    await asked.waitFor({ state: 'detached' })
    expect((await fetch(address!)).status).toBe(200)
    await keyboard.press(page.getByRole('button', { name: 'Rotate URL' }))
    await keyboard.press(asked.getByRole('button', { name: 'Rotate' }))
    const shown = () => page.getByText('/changes.atom').textContent()
    await expect.poll(shown).not.toBe(address)
    const next = await shown()
    expect([(await fetch(address!)).status, (await fetch(next!)).status]).toEqual([404, 200])
    await asked.waitFor({ state: 'detached' })
    await keyboard.press(page.getByRole('button', { name: 'Delete feed' }))
    await keyboard.press(asked.getByRole('button', { name: 'Delete feed' }))
    await page.getByText('A private URL for your feed reader.').waitFor()
    expect((await fetch(next!)).status).toBe(404)
    const csv = await downloaded(page)
    expect(csv).toHaveLength(2)
    await page.goto(`/?asOf=${PAST}`)
    await page.getByText('From the price history').waitFor()
    await page.getByText("You're viewing changes until").waitFor()
    await page.getByRole('heading', { name: 'Sources now' }).waitFor()
    await screenshots(page, 'changes-past')
    await page.goto(`/prices/openai/gpt-4o?asOf=${PAST}`)
    await page.getByText('Events of that time are no longer stored').waitFor()
  })

  it('open exactly the difference of a tos.changed event, and see hostile texts as text', async () => {
    const page = await reader()
    const { differenceUrl } = await changeDocument(db.sql, app.url)
    // A machine that is too busy to compare within 20 seconds asks to load the page again.
    app.expected = [/status of 503/]
    const open = async () => {
      await page.goto(differenceUrl)
      await page.getByRole('heading', { name: 'Terms of Service' }).waitFor({ timeout: 40_000 })
    }
    await vi.waitFor(open, { timeout: 240_000, interval: 1_000 })
    await page.locator('del', { hasText: '30' }).waitFor()
    await page.locator('ins', { hasText: '14' }).waitFor()
    await inspect(page, 'document-difference')
    const keyboard = byKeyboard(page)
    await keyboard.reach(page.getByRole('radio', { name: 'What changed' }))
    await keyboard.reach(page.getByRole('radio', { name: 'Text' }), 'ArrowRight')
    await page.getByText('<img src=x onerror=alert(1)>').waitFor()
    expect(await page.locator('article img, article script').count()).toBe(0)
    await page.goto('/documents')
    await page.getByRole('link', { name: 'Terms of Service' }).waitFor()
    const search = page.getByRole('textbox', { name: 'Search' })
    await keyboard.type(search, 'service')
    await keyboard.keys('Home', ...'terms of ')
    expect(await search.inputValue()).toBe('terms of service')
    await page.waitForURL(/q=terms/)
    await inspect(page, 'documents')
  })

  it('see hostile names as text on every page', async () => {
    const page = await reader()
    await publishHostile(db.sql)
    await page.goto('/prices?tab=sellers&q=onerror')
    const keyboard = byKeyboard(page)
    await keyboard.press(page.getByRole('link', { name: HOSTILE, exact: true }))
    await page.getByRole('heading', { name: HOSTILE }).waitFor()
    await page.locator('.recharts-line').first().waitFor({ state: 'attached' })
    await screenshots(page, 'hostile-name')
    expect(await page.locator('main img').count()).toBe(0)
    const { command, about } = await shownCommand(page)
    expect(about).toContain(`returns the ${(await paste(command)).length} rows`)
    await page.goto(`/compare?of=${encodeURIComponent(JSON.stringify([['acme', HOSTILE]]))}`)
    await page.getByRole('link', { name: 'ACME' }).first().waitFor()
    await page.getByText(HOSTILE).first().waitFor()
    expect(await page.locator('main img').count()).toBe(0)
    app.expected.push(/status of 404/, /^ApiError: There is no such alias group/)
    await page.goto('/compare/no-such-group')
    await page.getByText('There is no such alias group').waitFor()
    expect((await page.getByRole('main').textContent())!.match(/deleted/g)).toHaveLength(1)
  })
})

describe('Visitors of public pages, without an account', () => {
  const PALETTE = /^Find a page/
  /** A page with the palette open and ready for keys. */
  async function withPalette(): Promise<Page> {
    const page = await publicApp.person()
    await page.goto(`${publicApp.url}/compare`)
    await page.getByRole('button', { name: 'Find' }).first().waitFor()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(PALETTE).waitFor()
    return page
  }
  const isAtAnthropic = async (page: Page) => {
    await page.getByRole('heading', { name: 'Prices', level: 1 }).waitFor()
    expect(new URL(page.url()).searchParams.get('providers')).toContain('anthropic')
  }

  it('find a model by its name', async () => {
    const page = await withPalette()
    await page.keyboard.type('g')
    await page.getByRole('button', { name: 'More models and machines …' }).waitFor()
    expect(await page.getByRole('dialog').getByText('Create a webhook').count()).toBe(0)
    // Typed faster than it is found: the first of what is shown belongs to “g”.
    await page.keyboard.type('pt-4o')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'gpt-4o', level: 1 }).waitFor()
    // A provider's whole name leads to it, not to a model of another one that names it.
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(PALETTE).waitFor()
    await page.keyboard.type('anthropic')
    await page.keyboard.press('Enter')
    await isAtAnthropic(page)
  })

  it('open the first of what is found, also where another was the first a letter before', async () => {
    const page = await withPalette()
    const first = page.locator('[data-action]').first()
    await page.keyboard.type('anthropi')
    await first.filter({ hasText: /anthropic\// }).waitFor()
    await page.keyboard.type('c')
    await first.filter({ hasText: 'Prices of anthropic' }).waitFor()
    await page.locator('[data-action][data-selected]', { hasText: 'Prices of anthropic' }).waitFor()
    await page.keyboard.press('Enter')
    await isAtAnthropic(page)
  })

  it('type before the palette is loaded, and lose no letter of it', async () => {
    const page = await publicApp.person()
    const load = await hold(page, '**/assets/palette-*.js')
    await page.goto(`${publicApp.url}/compare`)
    await page.getByRole('button', { name: 'Find' }).first().focus()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('anthropix')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('c')
    await page.getByRole('status').filter({ hasText: 'anthropic' }).waitFor()
    await page.keyboard.press('Enter')
    await load()
    await isAtAnthropic(page)
  })
})

describe('the script of the app', () => {
  it('is at most 250 KB, compressed, before a page works: charts, calendars and differences come later', async () => {
    const assets = join(BUILT_APP, 'assets')
    const names = await readdir(assets)
    const entry = /src="\/assets\/([^"]+\.js)"/.exec(await readFile(join(BUILT_APP, 'index.html'), 'utf8'))![1]!
    for (const page of ['changes', 'explorer', 'resource', 'document', 'documents', 'compare', 'reference']) {
      const chunk = names.find((name) => name.startsWith(`${page}-`) && name.endsWith('.js'))
      expect(`${page} ${chunk}`).not.toContain('undefined')
      const loaded = await withImports(assets, [entry, chunk!])
      const sizes = await Promise.all(
        [...loaded].map(async (name) => gzipSync(await readFile(join(assets, name))).length),
      )
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      expect(bytes, `${page}: ${bytes} bytes`).toBeLessThanOrEqual(250_000)
      expect([...loaded].filter((name) => /^(step-chart|as-of-choice|difference)-/.test(name))).toEqual([])
    }
  })
})

/** Files and what they import at once. What is loaded on demand is called as a function. */
async function withImports(folder: string, names: string[], found = new Set<string>()): Promise<Set<string>> {
  for (const name of names) {
    if (found.has(name)) continue
    found.add(name)
    const text = await readFile(join(folder, name), 'utf8')
    const imported = [...text.matchAll(/(?:import|from)\s*"\.\/([^"]+\.js)"/g)].map((match) => match[1]!)
    await withImports(folder, imported, found)
  }
  return found
}

const HOSTILE = `'"><img src=x onerror=alert(1)>/../$(touch x),%00;{{7*7}}`

/** Published last, and as old as what the app shows without `asOf`: 15 minutes. */
async function publishHostile(sql: Sql): Promise<void> {
  const at = instantOf(Date.now() - 20 * MINUTE)
  await sql`update publication_clock set last_stamp = ${instantOf(Date.now() - HOUR)}`
  await seedProviders(sql, instantOf(Date.now() - 30 * MINUTE), [{ provider: 'acme' }])
  await publish(sql, [{ provider: 'acme', resource: HOSTILE, price: '0.000002' }], at)
}

/** A rise, a fall and twelve additions. */
async function recordChanges(sql: Sql): Promise<void> {
  const line = { source: 'genai-prices', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD' }
  const point = (price: string) => ({ price, recordedAt: '2026-10-01T00:00:00.000Z', contentHash: 'a'.repeat(64) })
  const change = (from: string, to: string, resource: string) =>
    priceChangedEvent('openai', false, {
      ...{ ...line, pricingTier: {}, resource },
      ...{ previous: point(from), current: point(to) },
    })
  const added = Array.from({ length: 12 }, (_, n) =>
    resourceAddedEvent('openrouter', false, { source: 'genai-prices', resource: `meta/new-${n}`, lines: [] }),
  )
  await publishing(sql, (tx, stamp) =>
    recordEvents(tx, stamp, [
      change('0.000002', '0.0000025', 'gpt-4o'),
      change('0.000002', '0.000001', 'gpt-5'),
      ...added,
    ]),
  )
}

/** A document that says something else, and what is hostile in both of its versions. */
async function changeDocument(sql: Sql, pagesUrl: string): Promise<{ differenceUrl: string }> {
  const source = await declareDocument(sql, 'terms')
  const text = `${TERMS}\n\n## Hostile\n\n\\<img src=x onerror=alert(1)> stays a text.\n`
  await sql`update publication_clock set last_stamp = ${instantOf(Date.now() - 400 * DAY)}`
  const say = async (hours: number, said: string) => {
    const at = instantOf(Date.now() - 30 * DAY + hours * HOUR)
    const bytes = Buffer.from(said)
    const snapshotHash = await storeSnapshot(sql, { bytes, at, contentType: 'text/markdown' })
    await ingestDocument(
      { sql, isolation },
      { source, snapshotHash, bytes, contentType: 'text/markdown', at, pagesUrl },
    )
  }
  const changed = replaceIn(text, '30 days notice', '14 days notice')
  await say(0, text)
  for (const hours of [24, 31, 50, 80]) await say(hours, changed)
  const [event] = await eventsOf(sql, 'terms')
  return { differenceUrl: String(event!.differenceUrl) }
}
