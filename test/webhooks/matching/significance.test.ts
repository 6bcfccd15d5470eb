import { beforeEach, describe, expect, it } from 'vitest'
import { listFeed } from '../../../src/events/list-feed.ts'
import type { EventDraft, Significance } from '../../../src/events/schema.ts'
import { editWebhook } from '../../../src/webhooks/manage/edit-webhook.ts'
import { previewSubscription } from '../../../src/webhooks/matching/preview-subscription.ts'
import type { WebhookBody } from '../../../src/webhooks/schema.ts'
import { testDatabase } from '../../support/database.ts'
import {
  addProviders, addWebhook, addWorkspace, matchAll, operator, receivers, record, tools,
} from '../../support/webhooks/subscriptions.ts' // biome-ignore format: one import

const changed = (document: string, significance?: Significance): EventDraft => ({
  type: 'tos.changed',
  provider: 'acme',
  payload: { document, title: document, classification: 'substantive', significance },
  document,
  significance,
})
const EVENTS: EventDraft[] = [
  changed('recorded before'),
  changed('of low significance', 'low'),
  changed('of medium significance', 'medium'),
  changed('of high significance', 'high'),
  { type: 'price.changed', provider: 'acme', payload: {}, resources: ['m1'], members: ['m1'] },
]
const nameOf = ({ document, type }: EventDraft) => document ?? type
const FROM: Record<Significance, string[]> = {
  low: EVENTS.map(nameOf),
  medium: ['recorded before', 'of medium significance', 'of high significance', 'price.changed'],
  high: ['recorded before', 'of high significance', 'price.changed'],
}
const LEVELS = ['low', 'medium', 'high'] as const
const wanted = { eventTypes: ['tos.changed', 'price.changed'], providers: ['*'] } satisfies Partial<WebhookBody>

describe('the least significance of changed documents', () => {
  const db = testDatabase({ each: true })
  let workspaceId = ''
  beforeEach(async () => {
    await addProviders(db.sql, ['acme'])
    workspaceId = await addWorkspace(db.sql)
  })
  const receivedBy = async (webhook: string, ids: string[]) => {
    const found = await Promise.all(ids.map((id) => receivers(db.sql, id)))
    return EVENTS.filter((_, i) => found[i]!.has(webhook)).map(nameOf)
  }

  it('narrows what a webhook receives of documents, and nothing else; without one everything arrives', async () => {
    const hooks = new Map<Significance | 'none', string>([['none', await addWebhook(db.sql, workspaceId, wanted)]])
    for (const minSignificance of LEVELS)
      hooks.set(minSignificance, await addWebhook(db.sql, workspaceId, { ...wanted, minSignificance }))
    const ids = await record(db.sql, ...EVENTS)
    await matchAll(db.sql)
    for (const level of LEVELS)
      expect([level, ...(await receivedBy(hooks.get(level)!, ids))]).toEqual([level, ...FROM[level]])
    expect(await receivedBy(hooks.get('none')!, ids)).toEqual(FROM.low)
  })

  it('can be edited, and counts for what is published afterwards', async () => {
    const id = await addWebhook(db.sql, workspaceId, { ...wanted, minSignificance: 'high' })
    const before = await record(db.sql, ...EVENTS)
    const edit = (patch: object) => editWebhook(operator(db.sql), tools, { workspaceId, id }, patch)
    expect(await edit({ minSignificance: 'medium' })).toMatchObject({ minSignificance: 'medium' })
    expect(await edit({ name: 'renamed' })).toMatchObject({ name: 'renamed', minSignificance: 'medium' })
    const after = await record(db.sql, ...EVENTS)
    await matchAll(db.sql)
    expect(await receivedBy(id, before)).toEqual(FROM.high)
    expect(await receivedBy(id, after)).toEqual(FROM.medium)
    await expect(edit({ minSignificance: 'grave' })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_body',
      field: 'minSignificance',
    })
  })

  it('narrows the feed in the same way', async () => {
    const since = (await listFeed(db.sql, { limit: 1 })).items[0]?.seq ?? '0'
    await record(db.sql, ...EVENTS)
    for (const minSignificance of LEVELS) {
      const { items } = await listFeed(db.sql, { minSignificance, limit: 50 })
      const found = items.filter(({ seq }) => BigInt(seq) > BigInt(since)).reverse()
      expect([minSignificance, ...found.map(({ document, type }) => document ?? type)]).toEqual([
        minSignificance,
        ...FROM[minSignificance],
      ])
      expect(found.find(({ document }) => document === 'of high significance')).toMatchObject({ significance: 'high' })
    }
  })

  it('narrows a preview', async () => {
    const count = async (minSignificance: Significance) =>
      (await previewSubscription(db.sql, { ...wanted, eventTypes: ['tos.changed'], minSignificance })).events
    const [low, medium, high] = await Promise.all(LEVELS.map(count))
    expect([low! - medium!, medium! - high!]).toEqual([low! / 4, low! / 4])
  })

  it('is one of three values, also in the database, and is of documents alone', async () => {
    await addWebhook(db.sql, workspaceId, wanted)
    await record(db.sql, ...EVENTS)
    const odd = db.sql`update webhook_version set min_significance = ${'grave' as never}`
    await expect(odd).rejects.toThrow('significance')
    await expect(db.sql`update webhook_version set min_significance = null`).rejects.toThrow('null')
    const priced = db.sql`update event set significance = 'high' where type = 'price.changed'`
    await expect(priced).rejects.toThrow('event_check')
  })
})
