import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { membersOf } from '../../../src/aliases/group-store.ts'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { curated } from '../../../src/collectors/formats/curated.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { ingestPrices } from '../../../src/prices/ingest/ingest-prices.ts'
import { withdrawRow } from '../../../src/prices/review/correct-price.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { day, model, models, observed } from '../../prices/observed.ts'
import { eventsOf, snapshot } from '../../prices/support.ts'
import { testDatabase } from '../../support/database.ts'
import { addWebhook, addWorkspace, matchAll } from '../../support/webhooks/subscriptions.ts'

type File = { prices: { provider: string; resource: string; price: number | string; dimension: string }[] }

/** The types a webhook was sent, with the provider, each once. */
const sentTo = (db: ReturnType<typeof testDatabase>) => async (hook: string) => {
  await matchAll(db.sql)
  const rows = await db.sql<{ type: string }[]>`
    select distinct e.type || '.' || e.provider as type from delivery d join event e using (event_id)
    where d.webhook_id = ${hook} order by 1`
  return rows.map((row) => row.type)
}

describe('one mistaken row in credits', () => {
  const db = testDatabase()

  it('keeps a provider’s events in USD from * webhooks for no longer than it is published (rule 2)', async () => {
    const list = (price: number, ...more: Observation[]) =>
      snapshot(db.sql, 'list', [...model('m', price, { provider: 'flake' }), ...more])
    const mistake = observed('m', 'requests', '2', { provider: 'flake', currency: 'FLAKE_AI_CREDIT' })
    await list(1e-6)
    const hook = await addWebhook(db.sql, await addWorkspace(db.sql))
    const sent = async () => {
      await matchAll(db.sql)
      const rows = await db.sql<{ body: string }[]>`
        select e.body from delivery d join event e using (event_id) where d.webhook_id = ${hook} order by e.seq`
      return rows.map(({ body }) => JSON.parse(body).current.price)
    }
    await list(1.5e-6, mistake)
    await list(2e-6, mistake)
    expect(await sent()).toEqual([])
    const [row] = await db.sql<{ hash: string }[]>`
      select content_hash as hash from publication where currency = 'FLAKE_AI_CREDIT'`
    await withdrawRow(db.sql, { contentHash: row!.hash, actor: 'test', reason: 'wrong' })
    await list(2.5e-6, mistake)
    expect(await sent()).toEqual(['0.0000025', '0.00001'])
  })
})

describe('a credit-priced provider, from its curated file to the deliveries', () => {
  const db = testDatabase()
  const sent = sentTo(db)
  const path = new URL('../../../sources/curated/example-credits.json', import.meta.url)
  const original: File = JSON.parse(readFileSync(path, 'utf8'))
  const source = sourceDeclaration.parse({ source: 'credits', format: 'curated' })
  const take = async (file: File, at: Instant, quiet = false) => {
    const bytes = Buffer.from(JSON.stringify(file))
    const parsed = curated.parse(bytes, { source, at })
    const snapshotHash = await storeSnapshot(db.sql, { bytes, at })
    return ingestPrices(db.sql, { source, snapshotHash, parserVersion: 1, parsed, quiet })
  }
  const hooks: Record<'wildcard' | 'named' | 'grouped' | 'filtered', string> = {} as never

  beforeAll(async () => {
    await take(original, day(0), true)
    const workspace = await addWorkspace(db.sql)
    const rate = original.prices.find((price) => price.dimension === 'output_tokens')!
    const member = { provider: rate.provider, resource: rate.resource }
    const { id } = await saveGroup(db.sql, { name: 'one model', members: [member], actor: 'test' })
    hooks.wildcard = await addWebhook(db.sql, workspace)
    hooks.named = await addWebhook(db.sql, workspace, { providers: ['*', rate.provider] })
    hooks.grouped = await addWebhook(db.sql, workspace, { providers: [rate.provider], aliases: [id] })
    const filters = { [rate.provider]: { resources: ['EXAMPLE_CLOUD_AI_CREDIT'] } }
    hooks.filtered = await addWebhook(db.sql, workspace, { providers: [rate.provider], filters })
    // The rate of one model and the price of a credit each rise by a tenth.
    const credit = original.prices.find((price) => price.resource === 'EXAMPLE_CLOUD_AI_CREDIT')!
    const prices = original.prices.map((price) =>
      price === rate || price === credit
        ? { ...price, price: Number((Number(price.price) * 1.1).toPrecision(6)) }
        : price,
    )
    await take({ ...original, prices }, day(1))
    await saveGroup(db.sql, {
      id,
      name: 'one model',
      members: [{ ...member, resource: credit.resource }],
      actor: 'test',
    })
  })

  it('records a consumption rate and a credit’s price as events like any other', async () => {
    const changed = await eventsOf(db.sql, 'price.changed', 'example-cloud')
    expect(changed.map((body) => body.unit).sort()).toEqual(['credit_per_token', 'usd_per_credit'])
  })

  it('sends them to webhooks that name the provider, and not to * alone (rule 2)', async () => {
    expect(await sent(hooks.wildcard)).toEqual([])
    expect(await sent(hooks.named)).toEqual([
      'alias.member_added.example-cloud',
      'alias.member_removed.example-cloud',
      'price.changed.example-cloud',
    ])
  })

  it('follows a group, and a filter for the credit alone', async () => {
    const received = async (hook: string) => {
      await matchAll(db.sql)
      const rows = await db.sql<{ unit: string; alias: string | null }[]>`
        select e.body::json ->> 'unit' as unit, d.alias from delivery d join event e using (event_id)
        where d.webhook_id = ${hook} and e.type = 'price.changed'`
      return rows.map((row) => [row.unit, row.alias !== null])
    }
    expect(await received(hooks.grouped)).toEqual([['credit_per_token', true]])
    expect(await received(hooks.filtered)).toEqual([['usd_per_credit', false]])
  })
})

describe('a renamed resource', () => {
  const db = testDatabase()

  it('stays in the groups that list it: the renaming and what follows it reach their webhooks', async () => {
    const filler = models(20)
    const canonical = { canonicalResource: 'baai/bge-m3' }
    await snapshot(db.sql, 'list', [...filler, ...model('BGE-M3', 0.0000077, canonical)], { at: day(0), quiet: true })
    const members = [{ provider: 'acme', resource: 'BGE-M3' }]
    const { id } = await saveGroup(db.sql, { name: 'bge', members, actor: 'test' })
    const workspace = await addWorkspace(db.sql)
    const hook = await addWebhook(db.sql, workspace, {
      aliases: [id],
      eventTypes: ['resource.renamed', 'price.changed'],
    })
    const named = (price: number) => [...filler, ...model('bge-m3', price, canonical)]
    await snapshot(db.sql, 'list', named(0.0000077))
    expect(await eventsOf(db.sql, 'resource.renamed')).toHaveLength(1)
    expect((await membersOf(db.sql, id)).map((member) => member.resource)).toEqual(['BGE-M3', 'bge-m3'])
    await snapshot(db.sql, 'list', named(0.0000084))
    expect(await eventsOf(db.sql, 'price.changed')).toHaveLength(2)
    expect(await sentTo(db)(hook)).toEqual(['price.changed.acme', 'resource.renamed.acme'])
  })
})

describe('a member of a group', () => {
  const db = testDatabase()

  it('sends the tiers, regions and dimensions of a member as separate events', async () => {
    const lines = (factor: number) => [
      ...model('m', 0.000002 * factor),
      observed('m', 'input_tokens', String(0.000001 * factor), { pricingTier: { service: 'batch' } }),
      observed('m', 'input_tokens', String(0.000003 * factor), { pricingTier: { region: 'eu' } }),
    ]
    await snapshot(db.sql, 'list', [...models(20), ...lines(1)], { at: day(0), quiet: true })
    const members = [{ provider: 'acme', resource: 'm' }]
    const { id } = await saveGroup(db.sql, { name: 'one model', members, actor: 'test' })
    const hook = await addWebhook(db.sql, await addWorkspace(db.sql), { aliases: [id] })
    await snapshot(db.sql, 'list', [...models(20), ...lines(2)])
    await matchAll(db.sql)
    const sent = await db.sql<{ dimension: string; tier: object }[]>`
      select e.body::json ->> 'dimension' as dimension, e.body::json -> 'pricingTier' as tier
      from delivery d join event e using (event_id) where d.webhook_id = ${hook} and e.type = 'price.changed'`
    expect(sent.map(({ dimension, tier }) => `${dimension} ${JSON.stringify(tier)}`).sort()).toEqual([
      'input_tokens {"region":"eu"}',
      'input_tokens {"service":"batch"}',
      'input_tokens {}',
      'output_tokens {}',
    ])
  })
})
