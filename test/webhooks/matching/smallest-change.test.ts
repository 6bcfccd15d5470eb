import { beforeEach, describe, expect, it } from 'vitest'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import type { EventDraft } from '../../../src/events/schema.ts'
import { editWebhook } from '../../../src/webhooks/manage/edit-webhook.ts'
import { previewSubscription } from '../../../src/webhooks/matching/preview-subscription.ts'
import { testDatabase } from '../../support/database.ts'
import {
  addProviders, addWebhook, addWorkspace, matchAll, operator, receivers, record, tools,
} from '../../support/webhooks/subscriptions.ts' // biome-ignore format: one import

const changed = (before: string | undefined, after: string | undefined, resource = 'm'): EventDraft => ({
  type: 'price.changed',
  provider: 'acme',
  payload: { ...(before && { previous: { price: before } }), ...(after && { current: { price: after } }) },
  resources: [resource],
  members: [resource],
})
const EVENTS: [name: string, draft: EventDraft][] = [
  ['4.9% up', changed('1', '1.049')],
  ['5% up', changed('0.000002', '0.0000021')],
  ['5% down', changed('2', '1.9')],
  ['a third up', changed('3', '4')],
  ['from zero', changed('0', '1')],
  ['began', changed(undefined, '1')],
  ['ended', changed('1', undefined)],
  ['added', { type: 'resource.added', provider: 'acme', payload: {}, resources: ['m'], members: ['m'] }],
]
const LARGE = EVENTS.map(([name]) => name).filter((name) => name !== '4.9% up')
const wanted = { eventTypes: ['price.changed' as const, 'resource.added' as const], providers: ['*'] }

describe('the smallest price change that a webhook receives', () => {
  const db = testDatabase({ each: true })
  let workspaceId = ''
  beforeEach(async () => {
    await addProviders(db.sql, ['acme'])
    workspaceId = await addWorkspace(db.sql)
  })
  const receivedBy = async (webhook: string, ids: string[]) => {
    const found = await Promise.all(ids.map((id) => receivers(db.sql, id)))
    return EVENTS.map(([name]) => name).filter((_, i) => found[i]!.has(webhook))
  }
  const recordAll = () => record(db.sql, ...EVENTS.map(([, draft]) => draft))

  it('leaves out smaller changes, up or down, with a filter, a group or neither, and nothing else', async () => {
    const members = [{ provider: 'acme', resource: 'm' }]
    const group = await saveGroup(db.sql, { name: 'M', members, actor: 'a test' })
    const hooks = {
      every: await addWebhook(db.sql, workspaceId, wanted),
      plain: await addWebhook(db.sql, workspaceId, { ...wanted, minChange: 5 }),
      filtered: await addWebhook(db.sql, workspaceId, {
        ...{ ...wanted, minChange: 5 },
        filters: { acme: { resources: ['m'], documents: [] } },
      }),
      grouped: await addWebhook(db.sql, workspaceId, { ...wanted, minChange: 5, aliases: [group.id] }),
      large: await addWebhook(db.sql, workspaceId, { ...wanted, minChange: 33.4 }),
    }
    const ids = await recordAll()
    await matchAll(db.sql)
    expect(await receivedBy(hooks.every, ids)).toEqual(EVENTS.map(([name]) => name))
    expect(await receivedBy(hooks.plain, ids)).toEqual(LARGE)
    expect(await receivedBy(hooks.filtered, ids)).toEqual(LARGE)
    expect(await receivedBy(hooks.grouped, ids)).toEqual(LARGE)
    expect(await receivedBy(hooks.large, ids)).toEqual(['from zero', 'began', 'ended', 'added'])
  })

  it('can be edited, stays where an edit does not name it, and is counted in the preview', async () => {
    const id = await addWebhook(db.sql, workspaceId, { ...wanted, minChange: 5 })
    const edit = (patch: object) => editWebhook(operator(db.sql), tools, { workspaceId, id }, patch)
    expect(await edit({ name: 'renamed' })).toMatchObject({ minChange: 5 })
    expect(await edit({ minChange: 0 })).toMatchObject({ minChange: 0 })
    const ids = await recordAll()
    await matchAll(db.sql)
    expect(await receivedBy(id, ids)).toEqual(EVENTS.map(([name]) => name))
    const count = async (minChange: number) =>
      (await previewSubscription(db.sql, { ...wanted, minChange })).byType['price.changed']
    expect([await count(0), await count(5), await count(34)]).toEqual([7, 6, 3])
  })

  it('is never below zero, and only price changes have a percentage', async () => {
    await addWebhook(db.sql, workspaceId, wanted)
    await expect(db.sql`update webhook_version set min_change = -1`).rejects.toThrow('min_change')
    await recordAll()
    const odd = db.sql`update event set change_percent = 3 where type = 'resource.added'`
    await expect(odd).rejects.toThrow('check constraint')
  })
})
