import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listProviders } from '../../src/catalog/providers/list-providers.ts'
import { readCatalog } from '../../src/catalog/read-catalog.ts'
import { listAllProviders } from '../../src/catalog/search/search-catalog.ts'
import { collectDueSources } from '../../src/collecting/collect-due-sources.ts'
import { DAY, type Instant, instantOf, MINUTE, plus } from '../../src/lib/instant.ts'
import { approveVersion } from '../../src/terms/review/approve-version.ts'
import { listHeldVersions } from '../../src/terms/review/list-held-versions.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'
import { addWebhook, addWorkspace, matchAll } from '../support/webhooks/subscriptions.ts'
import { collectingSystem } from './support.ts'

const db = testDatabase({ each: true })
const pages = new Map<string, string>()
const system = collectingSystem(db, (request, response) => {
  const page = pages.get(request.url!)
  response.writeHead(page ? 200 : 404, {
    'content-type': request.url!.endsWith('json') ? 'application/json' : 'text/html',
  })
  response.end(page)
})
const text = 'These terms govern how you may use the service of Lawful, and what Lawful may do with what you send. '
const page = (paragraph: string) =>
  `<!doctype html><html><head><title>Terms</title></head><body><main><h1>Terms of use</h1>${`<p>${paragraph}</p>`.repeat(12)}</main></body></html>`

const document = (more: object = {}) => ({
  source: 'lawful-terms',
  format: 'document',
  url: `${system.base}/terms`,
  options: { provider: 'lawful', providerName: 'Lawful Inc.', document: 'terms-of-use', title: 'Terms of use' },
  ...more,
})
const curated = { source: 'by-hand', format: 'curated', url: 'by-hand.json' }
const write = (content: object) => writeFileSync(join(system.folder, 'by-hand.json'), JSON.stringify(content))
const acme = { provider: 'acme', name: 'Acme' }
const planned = { provider: 'planned', name: 'Planned Ltd' }
const priced = (provider: string, price = '3') => ({
  ...{ provider, resource: 'm', dimension: 'input_tokens', price, per: 1_000_000 },
})

let now: Instant
/** One check, an hour after the one before. */
async function check(sources: object[], env: Record<string, string> = {}) {
  now = plus(now ?? instantOf(Date.now()), 60 * MINUTE)
  const collecting = system.declare(sources, env)
  return collectDueSources(collecting, now, { budgetMs: 60_000, startCollecting: async () => {} })
}
const directory = async () => {
  const providers = await listProviders(db.sql)
  return Object.fromEntries(
    providers.map(({ provider, status, activatedAt }) => [provider, [status, activatedAt !== null]]),
  )
}
const added = async () => {
  const rows = await db.sql<{ body: string }[]>`select body from event where type = 'provider.added' order by seq`
  return rows.map(({ body }) => JSON.parse(body)).map(({ type, provider, name }) => [type, provider, name])
}

describe('a provider that a declared source names', () => {
  it('status is `pending` while the provider is being added: a curated file may name it without any price', async () => {
    write({ providers: [acme, planned], prices: [priced('acme')] })
    await check([curated])
    expect(await directory()).toEqual({ acme: ['active', true], planned: ['pending', false] })
    expect(await added()).toEqual([['provider.added.acme', 'acme', 'Acme']])
    expect(await readCatalog(db.sql, 'planned')).toEqual({ updatedAt: null, resources: [], docs: [] })
  })

  it('a curated file may announce providers before it has any price, but its prices never end in an empty list', async () => {
    write({ providers: [planned], prices: [] })
    expect((await check([curated])).collected).toMatchObject([{ outcome: 'unchanged' }])
    expect(await directory()).toEqual({ planned: ['pending', false] })
    write({ providers: [planned], prices: [priced('planned')] })
    await check([curated])
    expect(await directory()).toEqual({ planned: ['active', true] })
    write({ providers: [planned], prices: [] })
    expect((await check([curated])).collected).toMatchObject([{ outcome: 'quarantined' }])
    expect(await directory()).toEqual({ planned: ['active', true] })
    write({ providers: [], prices: [] })
    expect((await check([curated])).collected).toMatchObject([{ problem: expect.stringMatching(/empty list/) }])
  })

  it('a webhook can subscribe to a pending provider, and receives `provider.added` once, with its first price', async () => {
    write({ providers: [acme, planned], prices: [priced('acme')] })
    await check([curated])
    const workspace = await addWorkspace(db.sql)
    await addWebhook(db.sql, workspace, { providers: ['planned'], eventTypes: ['provider.added'] })
    for (const price of ['3', '3.1', '3.2']) {
      write({ providers: [acme, planned], prices: [priced('acme'), priced('planned', price)] })
      await check([curated])
    }
    expect(await directory()).toEqual({ acme: ['active', true], planned: ['active', true] })
    await matchAll(db.sql)
    const sent = await db.sql<{ body: string }[]>`select body from delivery join event using (event_id)`
    expect(sent.map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: 'provider.added.planned', version: 'provider-added.v1', provider: 'planned', name: 'Planned Ltd' },
    ])
  })

  it('ends as retired when the file no longer names it, and is pending again when it does', async () => {
    const both = { providers: [acme, planned], prices: [priced('acme')] }
    write(both)
    await check([curated])
    write({ ...both, providers: [acme] })
    await check([curated])
    expect(await directory()).toEqual({ acme: ['active', true] })
    expect((await listAllProviders(db.sql)).map(({ provider, status }) => [provider, status])).toEqual([
      ['acme', 'active'],
      ['planned', 'retired'],
    ])
    write(both)
    await check([curated])
    expect(await directory()).toEqual({ acme: ['active', true], planned: ['pending', false] })
  })

  it('the option `provider` of a source names it before its list was ever read', async () => {
    const options = { provider: 'gpus', name: 'GPUs Inc.' }
    const sources = [{ source: 'gpu-list', format: 'skypilot', url: `${system.base}/none.csv`, options }]
    await check(sources)
    expect(await directory()).toEqual({ gpus: ['pending', false] })
    await check([{ ...sources[0], witness: true, source: 'gpu-witness', options: { provider: 'unseen' } }])
    expect(await directory()).toEqual({ gpus: ['pending', false] })
  })
})

describe('the name of a provider', () => {
  const names = async () => (await listProviders(db.sql)).map(({ provider, name }) => [provider, name])
  const listed = { provider: 'lawful', name: 'LawfulInc' }

  it('is the one that the declaration of a document gives, whatever a list called it before', async () => {
    write({ providers: [listed], prices: [priced('lawful')] })
    await check([curated])
    expect(await names()).toEqual([['lawful', 'LawfulInc']])
    await check([curated, document()])
    expect(await names()).toEqual([['lawful', 'Lawful Inc.']])
    await check([curated, document({ options: { ...document().options, providerName: undefined } })])
    expect(await names()).toEqual([['lawful', 'Lawful Inc.']])
  })

  it('follows the declaration of a document that is known, and the first of two that differ', async () => {
    const named = (providerName: string, document_: string) =>
      document({ source: document_, options: { ...document().options, document: document_, providerName } })
    await check([named('Lawful Inc.', 'terms'), named('Lawful', 'policy')])
    for (const name of ['Lawful Ltd.', 'Lawful Ltd.']) {
      await check([named(name, 'terms'), named('Lawful', 'policy')])
      expect(await names()).toEqual([['lawful', 'Lawful Ltd.']])
    }
  })
})

describe('a provider with documents only', () => {
  it('its documents are in the catalog before their first text: they are what a filter can name', async () => {
    await check([document()])
    expect(await directory()).toEqual({ lawful: ['pending', false] })
    const catalog = await readCatalog(db.sql, 'lawful')
    expect(catalog).toMatchObject({ resources: [], docs: [{ doc: 'terms-of-use', url: `${system.base}/terms` }] })
    expect(catalog?.updatedAt).not.toBeNull()
    const filters = { lawful: { resources: [], documents: ['terms-of-use'] } }
    await addWebhook(db.sql, await addWorkspace(db.sql), { providers: ['lawful'], filters })
    await check([document()])
    expect((await readCatalog(db.sql, 'lawful'))?.updatedAt).toEqual(catalog?.updatedAt)
  })

  it('is active from its first text in force on, with one `provider.added` and no `tos.changed`', async () => {
    pages.set('/terms', page(text))
    await check([document()])
    expect(await directory()).toEqual({ lawful: ['active', true] })
    expect(await added()).toEqual([['provider.added.lawful', 'lawful', 'Lawful Inc.']])
    const second = document({ source: 'lawful-policy', options: { ...document().options, document: 'usage-policy' } })
    await check([document(), second])
    expect((await readCatalog(db.sql, 'lawful'))?.docs.map(({ doc }) => doc)).toEqual(['terms-of-use', 'usage-policy'])
    expect(await db.sql`select type from event`).toEqual([{ type: 'provider.added' }])
    pages.clear()
  })

  it('is active when a person approves its first text, which was held', async () => {
    pages.set(
      '/terms',
      page('Log in to continue. Email. Password. Forgot your password? Sign in with another account. '),
    )
    for (let days = 0; days < 5; ) {
      const { collected } = await check([document()])
      now = plus(now, DAY)
      // A check that a busy machine gave up has not read the page.
      if (collected[0]?.outcome !== 'quarantined') continue
      await db.sql`update document_quarantine set since = since - interval '1 d'`
      days++
    }
    const [held] = await listHeldVersions(db.sql)
    expect(await directory()).toEqual({ lawful: ['pending', false] })
    await approveVersion({ sql: db.sql, isolation }, { versionId: held!.versionId, by: 'ada', note: 'it is the text' })
    expect(await directory()).toEqual({ lawful: ['active', true] })
    expect(await added()).toHaveLength(1)
    pages.clear()
  })

  it('that its documents move to is active like one with a first text, recorded in the order of publications', async () => {
    pages.set('/terms', page(text))
    await check([document()])
    await check([document({ options: { ...document().options, provider: 'lawful-uk', providerName: 'Lawful UK' } })])
    expect(await directory()).toEqual({ 'lawful-uk': ['active', true] })
    expect(await added()).toEqual([
      ['provider.added.lawful', 'lawful', 'Lawful Inc.'],
      ['provider.added.lawful-uk', 'lawful-uk', 'Lawful UK'],
    ])
    const statuses = await db.sql`
      select provider, status from provider_status, publication_clock where at <= last_stamp order by at, provider`
    expect(statuses.map(({ provider, status }) => `${provider} ${status}`)).toEqual([
      'lawful pending',
      'lawful active',
      'lawful retired',
      'lawful-uk active',
    ])
    pages.clear()
  })

  it('two sources of one document are refused when the file is read', async () => {
    await expect(check([document(), document({ source: 'other' })])).rejects.toThrow(/other.*lawful\/terms-of-use/)
  })
})
