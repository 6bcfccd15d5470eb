import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { webhooksSection } from '../../src/api/openapi/openapi-webhooks.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { EVENT_TYPES } from '../../src/events/schema.ts'
import { DAY, HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import { endSource } from '../../src/prices/publish/end-source.ts'
import { restoreRow, withdrawRow } from '../../src/prices/review/correct-price.ts'
import { decideReview } from '../../src/prices/review/decide-review.ts'
import type { AnnouncedPrice, Observation } from '../../src/prices/schema.ts'
import { openReviewItems } from '../../src/prices/store/review-store.ts'
import { readPayload } from '../../src/webhooks/log/read-payload.ts'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { model, models, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testDatabase } from '../support/database.ts'
import { expectGolden, goldensIn } from '../support/suite/goldens.ts'
import { addProviders, addWebhook, addWorkspace, matchAll } from '../support/webhooks/subscriptions.ts'
import { declareDocument, fetches } from '../terms/ingest/pages.ts'
import { ADDENDUM, LATER_ADDENDUM } from '../terms/texts.ts'

/** After the webhook was created, whatever the time is: a webhook receives only what is published after that. */
const START = '2100-01-01T00:00:00.000Z' as Instant
const day = (n: number): Instant => plus(START, n * DAY)
const WHO = { actor: 'olga@example.com', reason: 'the page shows another price' }
const MONEY = {
  canonicalResource: 'maker/m',
  category: 'chat',
  billingCondition: 'prepaid',
  effectiveFrom: '2100-01-01',
}
const REVISED = {
  canonicalResource: 'maker/m-1',
  category: 'agent',
  billingCondition: 'postpaid',
  effectiveFrom: '2100-01-03',
}
const BATCH = { pricingTier: { service: 'batch' } }
const LONG = { pricingTier: { context: '>200000' } }

/** Each golden: the type, and for a second one of a type what it shows. */
const GOLDENS = [
  'provider.added',
  'resource.added',
  'price.changed',
  'price.changed-line-began',
  'price.changed-line-ended',
  'price.changed-tier-introduced',
  'price.changed-tier-withdrawn',
  'price.revised',
  'price.corrected',
  'price.corrected-restored',
  'price.announced',
  'price.announced-changed',
  'price.announced-withdrawn',
  'resource.renamed',
  'resource.removed',
  'resource.removed-source-ended',
  'alias.member_added',
  'alias.member_removed',
  'tos.changed',
  'webhook.test',
] as const

describe('the body of an event, with every field that it may have', () => {
  const db = testDatabase()
  const names: Record<string, string> = {}
  let hook: { workspaceId: string; id: string }

  beforeAll(async () => {
    await addProviders(db.sql, ['acme', 'example'])
    const members = ['m', 'gone', 'm-medium-2506'].map((resource) => ({ provider: 'acme', resource }))
    const { id: group } = await saveGroup(db.sql, { name: 'Golden models', members, actor: 'ada' })
    const workspaceId = await addWorkspace(db.sql)
    hook = { workspaceId, id: await addWebhook(db.sql, workspaceId, { aliases: [group], eventTypes: EVENT_TYPES }) }
    await prices()
    const comeBack = await documents()
    await groups(group)
    await comeBack()
    await sendTestEvent({ sql: db.sql, now: day(40) }, hook)
    await matchAll(db.sql)
    Object.assign(names, { [group]: 'GROUP', [hook.id]: 'WEBHOOK' })
  })

  const rest = models(40)
  const renamed = (name: string) => model(name, 0.0000077, { canonicalResource: `maker/${name}` })
  const take = async (n: number, lines: Observation[], announced: AnnouncedPrice[] = []) => {
    const observations = [...rest, ...lines]
    const parsed = { providers: [{ provider: 'acme', name: 'acme' }], observations, ignored: [], announced }
    const bytes = Buffer.from(`day ${n}`)
    const address = 'https://acme.example/pricing'
    const snapshotHash = await storeSnapshot(db.sql, { bytes, at: day(n), address })
    return snapshot(db.sql, 'list', observations, { at: day(n), parsed, snapshotHash })
  }

  /** A month of a provider's list, and what people decided about it. */
  async function prices() {
    const [input, output] = model('m', 0.000002, MONEY)
    const batch = observed('m', 'input_tokens', '0.000001', { ...MONEY, ...BATCH })
    const m = [input!, output!, batch]
    const old = renamed('m-medium-2506')
    const gone = model('gone', 0.0000033, { canonicalResource: 'maker/gone' })
    await take(0, [...m, ...old, ...gone])
    await take(1, [{ ...input!, price: '0.0000015' }, output!, batch, ...old, ...gone])
    const now = [{ ...input!, price: '0.0000015' }, { ...output!, ...REVISED }, batch]
    await take(2, [...now, ...old, ...gone])
    const step = observed('m', 'input_tokens', '0.000003', { ...MONEY, ...LONG })
    const cached = observed('m', 'cache_read_tokens', '0.0000002', MONEY)
    const more = [...now, step, cached]
    await take(3, [...more, ...old, ...gone])
    await correct()
    for (const n of [6, 7, 8, 9]) await take(n, [...more, ...old])
    await take(10, [...more, ...renamed('m-medium')])
    const [item] = await openReviewItems(db.sql, 100, { kind: 'rename' })
    await decideReview(db.sql, { reviewId: item!.reviewId, decision: 'approve', ...WHO, at: plus(day(10), HOUR) })
    const ahead = (price: string, effectiveFrom: string): AnnouncedPrice => ({
      observation: { ...input!, price, effectiveFrom },
      from: `${effectiveFrom}T00:00:00.000Z` as Instant,
    })
    const announced = [[ahead('0.0000025', '2100-03-01')], [ahead('0.000003', '2100-03-15')]]
    for (let n = 11; n < 30; n++) await take(n, [...now, ...renamed('m-medium')], announced[n - 11])
    await snapshot(db.sql, 'ended', gone, { at: day(30) })
    await db.sql`update source set declared = false where source = 'ended'`
    await endSource(db.sql, 'ended')
  }

  async function correct() {
    const [row] = await db.sql<{ hash: string }[]>`
      select current_hash as hash from price_line
      where resource = 'm' and dimension = 'input_tokens' and pricing_tier = '{}'`
    await withdrawRow(db.sql, { contentHash: row!.hash, ...WHO, at: day(4) })
    await restoreRow(db.sql, { contentHash: row!.hash, actor: WHO.actor, reason: 'it was right', at: day(5) })
  }

  /** A text that changes, and comes back: that is confirmed two weeks later, by the function that this returns. */
  async function documents() {
    const source = await declareDocument(db.sql, 'dpa', { title: 'Data Processing Addendum' })
    const at = fetches(db.sql, source, 'text/markdown', 'https://pricetape.example', day(31))
    const { versionId: first } = await at(0, ADDENDUM)
    await at(6, LATER_ADDENDUM)
    const { versionId: second } = await at(31, LATER_ADDENDUM)
    await at(40, ADDENDUM)
    return async () => {
      const { versionId: third } = await at(40 + 15 * 24, ADDENDUM)
      Object.assign(names, { [first!]: 'FIRST', [second!]: 'SECOND', [third!]: 'THIRD' })
    }
  }

  async function groups(id: string) {
    const members = ['m', 'm-medium', rest[0]!.resource].map((resource) => ({ provider: 'acme', resource }))
    await saveGroup(db.sql, { id, name: 'Golden models', members, actor: 'ada', at: day(38) })
    await deleteGroup(db.sql, { id, actor: 'ada', at: day(39) })
  }

  /** What was sent of a golden's type: the first event that is about what it is named for. */
  async function sent(golden: string): Promise<{ body: Record<string, unknown>; eventId: string }> {
    const [type] = golden.split('-')
    const rows = await db.sql<{ id: string; eventId: string }[]>`
      select d.delivery_id as id, event_id as "eventId" from delivery d join event e using (event_id)
      where d.webhook_id = ${hook.id} and e.type = ${type!} order by e.seq`
    const bodies = await Promise.all(
      rows.map(async ({ id, eventId }) => ({ eventId, body: JSON.parse((await readPayload(db.sql, hook, id))!) })),
    )
    return bodies.find(({ body }) => SHOWN[golden]?.(body) ?? true)!
  }

  it.each(GOLDENS)('%s', async (golden) => {
    const { body, eventId } = await sent(golden)
    expect(body.id).toBe(eventId)
    const [type] = golden.split('-')
    z.fromJSONSchema({ ...schemaOf(type!), additionalProperties: false } as never).parse(body)
    await expectGolden(`events/${golden}`, body, {
      ...names,
      [eventId]: eventId.replace(/[0-9a-f]{8}-[0-9a-f-]*/, 'EVENT'),
    })
  })

  it('shows every field that the schema of its type has', async () => {
    const shown: Record<string, Set<string>> = {}
    for (const golden of GOLDENS) {
      const type = golden.split('-')[0]!
      shown[type] = new Set([...(shown[type] ?? []), ...Object.keys((await sent(golden)).body)])
    }
    for (const [type, fields] of Object.entries(shown)) {
      const { properties } = schemaOf(type) as { properties: object }
      expect([...fields].sort(), type).toEqual(Object.keys(properties).sort())
    }
  })

  it('has a golden for each event type and for tests, and no golden shows anything else', async () => {
    expect([...new Set(GOLDENS.map((golden) => golden.split('-')[0]))].sort()).toEqual(
      [...EVENT_TYPES, 'webhook.test'].sort(),
    )
    expect(await goldensIn('events')).toEqual([...GOLDENS].sort())
  })
})

/** The schema that the OpenAPI document has for the body of an event. */
const schemaOf = (type: string): object =>
  webhooksSection().webhooks[type]!.post.requestBody.content['application/json'].schema

type Body = Record<string, unknown>
const about = (resource: string) => (body: Body) => body.resource === resource
/** Which event of its type a golden shows, where the first is not it. */
const SHOWN: Record<string, (body: Body) => boolean> = {
  'price.changed-line-began': ({ previous }) => previous === undefined,
  'price.changed-line-ended': ({ current }) => current === undefined,
  'price.changed-tier-introduced': ({ tier }) => tier === 'introduced',
  'price.changed-tier-withdrawn': ({ tier }) => tier === 'withdrawn',
  'price.corrected-restored': ({ action }) => action === 'restored',
  'price.announced-changed': ({ action }) => action === 'changed',
  'price.announced-withdrawn': ({ action }) => action === 'withdrawn',
  'resource.added': about('m'),
  'resource.removed-source-ended': ({ reason }) => reason === 'source_ended',
  'tos.changed': ({ returnsTo }) => returnsTo !== undefined,
  'alias.member_added': ({ lines }) => (lines as unknown[]).length > 0,
  'alias.member_removed': ({ groupDeleted, resource }) => groupDeleted === true && resource === 'm',
}
