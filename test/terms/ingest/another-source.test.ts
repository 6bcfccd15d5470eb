import { beforeEach, describe, expect, it } from 'vitest'
import { listProviders } from '../../../src/catalog/providers/list-providers.ts'
import { readCatalog } from '../../../src/catalog/read-catalog.ts'
import { collectDueSources } from '../../../src/collecting/collect-due-sources.ts'
import { DAY, HOUR, type Instant, instantOf, plus } from '../../../src/lib/instant.ts'
import { collectingSystem } from '../../collecting/support.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase({ each: true })
const pages = new Map<string, string>()
const system = collectingSystem(db, (request, response) => {
  const page = pages.get(request.url!)
  response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page)
})
const page = (paragraph: string) =>
  `<!doctype html><html><body><main><h1>Rules</h1>${`<p>These rules govern how you may use Lawful, ${paragraph}</p>`.repeat(12)}</main></body></html>`

/** The declaration of a document, read from a page of its own. */
const declared = (source: string, path: string, document: string) => ({
  source,
  format: 'document',
  url: `${system.base}/${path}`,
  intervalSeconds: 21_600,
  options: { provider: 'lawful', providerName: 'Lawful Inc.', document, title: 'Rules' },
})
const terms = () => declared('lawful-terms', 'terms', 'terms-of-use')
const renamed = () => declared('lawful-tos', 'terms', 'terms-of-use')
const privacy = () => declared('lawful-privacy', 'privacy', 'privacy-policy')

let now: Instant
/** One check, days after the one before. Returns what is wrong with what it read. */
async function check(sources: object[], days = 1) {
  now = plus(now, days * DAY)
  const options = { budgetMs: HOUR, startCollecting: async () => {} }
  const { collected } = await collectDueSources(system.declare(sources), now, options)
  return collected.flatMap(({ problem }) => problem ?? [])
}
/** Which source reads a document, and the last word of its text in force. */
async function inForce() {
  const rows = await db.sql<{ document: string; source: string; markdown: string }[]>`
    select distinct on (source) document, source, markdown from document join document_version using (source)
    where recorded_at is not null order by source, recorded_at desc`
  return Object.fromEntries(rows.map((row) => [row.document, `${row.source} ${/\w+(?=\W*$)/.exec(row.markdown)}`]))
}
/** Checks twice: nothing is wrong, and these texts are in force after each, which is no change of a document. */
async function staysSo(sources: object[], texts: Record<string, string>): Promise<void> {
  for (let checks = 0; checks < 2; checks++) {
    expect(await check(sources)).toEqual([])
    expect(await inForce()).toEqual(texts)
  }
  expect(await events()).toMatchObject([{ type: 'provider.added.lawful' }])
}
const catalogued = async () => (await readCatalog(db.sql, 'lawful'))!.docs.map(({ doc }) => doc)
const providers = async () => (await listProviders(db.sql)).map(({ provider, status }) => `${provider} ${status}`)
const events = async () =>
  (await db.sql<{ body: string }[]>`select body from event order by seq`).map(({ body }) => JSON.parse(body))

describe('a document that another source declares', () => {
  beforeEach(() => {
    now = instantOf(Date.now())
    pages.set('/terms', page('and what you pay.')).set('/privacy', page('and what Lawful knows.'))
  })

  it('goes on under it, with its texts and a change that waits', async () => {
    await check([terms()])
    pages.set('/terms', page('and what you pay in advance.'))
    await check([terms()])
    expect(await check([renamed()])).toEqual([])
    expect(await inForce()).toEqual({ 'terms-of-use': 'lawful-tos pay' })
    await db.sql`update document_version set first_seen_at = first_seen_at - interval '2 d'`
    expect(await check([renamed()])).toEqual([])
    expect(await inForce()).toEqual({ 'terms-of-use': 'lawful-tos advance' })
    const versions = await db.sql<
      { id: string }[]
    >`select version_id as id from document_version order by first_seen_at`
    expect(await events()).toMatchObject([
      { type: 'provider.added.lawful' },
      {
        ...{ type: 'tos.changed.lawful', document: 'terms-of-use' },
        ...{ previous: { versionId: versions[0]!.id }, current: { versionId: versions[1]!.id } },
      },
    ])
    await check([renamed()], 8)
    expect([await catalogued(), await providers()]).toEqual([['terms-of-use'], ['lawful active']])
  })

  it('is back when its own source ended, and its provider is active again, which is not the first time', async () => {
    const other = { ...declared('other', 'other', 'terms'), options: { ...terms().options, provider: 'other' } }
    await check([terms(), other])
    await check([other])
    await check([other], 8)
    expect([await catalogued(), await providers()]).toEqual([[], ['other pending']])
    const { updatedAt } = (await readCatalog(db.sql, 'lawful'))!
    expect(await check([renamed()])).toEqual([])
    expect([await catalogued(), await providers()]).toEqual([['terms-of-use'], ['lawful active', 'other pending']])
    expect((await readCatalog(db.sql, 'lawful'))!.updatedAt! > updatedAt!).toBe(true)
    expect(await events()).toMatchObject([{ type: 'provider.added.lawful' }])
  })

  it('goes on under it while its own source declares another one from then on', async () => {
    await check([terms()])
    const sources = [declared('lawful-terms', 'privacy', 'privacy-policy'), renamed()]
    await staysSo(sources, { 'terms-of-use': 'lawful-tos pay', 'privacy-policy': 'lawful-terms knows' })
    expect(await catalogued()).toEqual(['privacy-policy', 'terms-of-use'])
  })

  it('under a name that its own source has left is another document', async () => {
    pages.set('/business', page('and what a business pays.'))
    await check([terms()])
    const split = [
      declared('lawful-business', 'business', 'terms-of-use'),
      declared('lawful-terms', 'terms', 'consumer-terms'),
    ]
    await staysSo(split, { 'terms-of-use': 'lawful-business pays', 'consumer-terms': 'lawful-terms pay' })
  })

  it('in exchange for its own keeps the texts that it reads, under their new names', async () => {
    await check([terms(), privacy()])
    const exchanged = [
      declared('lawful-terms', 'terms', 'privacy-policy'),
      declared('lawful-privacy', 'privacy', 'terms-of-use'),
    ]
    await staysSo(exchanged, { 'privacy-policy': 'lawful-terms pay', 'terms-of-use': 'lawful-privacy knows' })
  })
})
