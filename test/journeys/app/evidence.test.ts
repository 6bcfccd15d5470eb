import { beforeAll, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { collectorFor } from '../../../src/collectors/index.ts'
import { ingestPrices } from '../../../src/prices/ingest/ingest-prices.ts'
import { recordWitnessPrices } from '../../../src/prices/witness/record-witness-prices.ts'
import { PAGES } from '../../collectors/pages/samples.ts'
import { day, observed } from '../../prices/observed.ts'
import { appBrowser, expectFits, inspect } from '../../support/app/app-browser.ts'
import { testDatabase } from '../../support/database.ts'

const PAGE = sourceDeclaration.parse({
  ...{ source: 'anthropic-pricing', format: 'anthropic-page', rank: 'provider', speaksFor: ['anthropic'] },
  url: 'https://anthropic.example/pricing.md',
})
const EVIL = '<img src=x onerror="document.title=1"><script>document.title=2</script>'

describe('the evidence for a price in the app', () => {
  const db = testDatabase()
  const app = appBrowser(db, { env: { PRICETAPE_PUBLIC_PAGES: 'true' } })

  beforeAll(async () => {
    const [collector, bytes, at] = [collectorFor(PAGE.format)!, Buffer.from(PAGES['anthropic-page']['2026-08']), day(1)]
    await ingestPrices(db.sql, {
      ...{ source: PAGE, parserVersion: collector.parserVersion, at },
      parsed: collector.parse(bytes, { source: PAGE, at }),
      snapshotHash: await storeSnapshot(db.sql, { bytes, at, address: PAGE.url }),
    })
    const line = observed('claude-opus-4-8', 'input_tokens', '0.000006', { provider: 'anthropic' })
    await recordWitnessPrices(db.sql, {
      source: sourceDeclaration.parse({ source: 'another-list', format: 'azure', witness: true }),
      snapshotHash: await storeSnapshot(db.sql, { bytes: Buffer.from('x'), at, address: 'javascript:alert(1)' }),
      ...{ parserVersion: 1, at, parsed: { providers: [], ignored: [], observations: [line] } },
    })
    const list = Buffer.from(JSON.stringify({ m: { note: EVIL, price: 2 } }))
    await ingestPrices(db.sql, {
      ...{ source: sourceDeclaration.parse({ source: 'list', format: 'hand' }), parserVersion: 1, at: day(2) },
      snapshotHash: await storeSnapshot(db.sql, { bytes: list, at: day(2), address: 'javascript:alert(1)' }),
      parsed: {
        ...{ providers: [{ provider: 'acme', name: 'Acme' }], ignored: [] },
        observations: [observed('m', 'input_tokens', '0.000002', { locator: '/m/price' })],
      },
    })
  })

  it('is one click from a price: the page, the row of its table, and who shows another price', async () => {
    const page = await app.person()
    await page.goto('/prices/anthropic/claude-opus-4-8')
    await page.getByRole('link', { name: '5.00', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Evidence for claude-opus-4-8' }).waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/evidence\/[0-9a-f]{64}$/)
    const table = page.getByRole('table', { name: 'The place on the page' })
    expect(await table.locator('mark').textContent()).toMatch(/^\$5\b/)
    expect(await page.getByRole('link', { name: PAGE.url! }).getAttribute('rel')).toContain('noopener')
    const other = page.getByRole('row', { name: /another-list/ })
    expect(await other.textContent()).toMatch(/6\.00.*another price/)
    await inspect(page, 'evidence')
    await page.setViewportSize({ width: 380, height: 800 })
    await expectFits(page)
    // The address is a page of its own.
    await page.reload()
    await table.waitFor()
  })

  it('is shown as text: nothing of a foreign file becomes an element, a link or a script', async () => {
    const page = await app.person()
    await page.goto('/prices/acme/m')
    await page.getByRole('link', { name: /^Evidence for Input/ }).click()
    await page.getByLabel('The place in the file').getByText('onerror').waitFor()
    expect(await page.getByLabel('The place in the file').locator('mark').textContent()).toBe('"price":2')
    expect(await page.locator('main img, main script, a[href^="javascript"]').count()).toBe(0)
    expect(await page.title()).toMatch(/^Evidence for m/)
    app.expected.push(/status of 404/)
    await page.goto(`/evidence/${'0'.repeat(64)}`)
    await page.getByText('There is no such price').waitFor()
  })
})
