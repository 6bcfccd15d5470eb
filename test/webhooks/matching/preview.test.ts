import { beforeAll, describe, expect, it } from 'vitest'
import { findResourceChoices, listProviderChoices } from '../../../src/catalog/search/find-choices.ts'
import type { EventType } from '../../../src/events/schema.ts'
import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { previewSubscription } from '../../../src/webhooks/matching/preview-subscription.ts'
import { testDatabase } from '../../support/database.ts'
import { seedProviders } from '../../support/prices.ts'
import { addProviders, record } from '../../support/webhooks/subscriptions.ts'

describe('a preview of a subscription', () => {
  const db = testDatabase()
  const event = (type: EventType, provider: string, name: string) => ({
    type,
    provider,
    payload: {},
    ...(type === 'tos.changed' ? { document: name } : { resources: [name], members: [name] }),
  })

  beforeAll(async () => {
    await addProviders(db.sql, ['p1', 'p2'])
    await record(
      db.sql,
      event('price.changed', 'p1', 'a'),
      event('price.changed', 'p1', 'b'),
      event('price.changed', 'p2', 'a'),
      event('tos.changed', 'p2', 'terms'),
    )
    const [old] = await record(db.sql, event('price.changed', 'p1', 'a'))
    await db.sql`update event set eligible_at = eligible_at - interval '31 days' where event_id = ${old!}`
  })

  it('counts the events of the last 30 days by type, narrowed as deliveries are', async () => {
    const eventTypes: EventType[] = ['price.changed', 'tos.changed']
    const all = await previewSubscription(db.sql, { eventTypes, providers: ['*'] })
    expect(all).toMatchObject({ events: 4, byType: { 'price.changed': 3, 'tos.changed': 1 } })
    const filters = { p1: { resources: ['a'] } }
    expect((await previewSubscription(db.sql, { eventTypes, providers: ['*'], filters })).events).toBe(3)
    expect((await previewSubscription(db.sql, { eventTypes, providers: ['p1'], filters })).byType).toEqual({
      'price.changed': 1,
    })
  })

  it('says since when it counts: 30 days ago, at that instant too', async () => {
    const wanted = { eventTypes: ['price.changed' as const], providers: ['p2'] }
    const [row] = await db.sql<{ at: Instant }[]>`
      select eligible_at as at from event where provider = 'p2' and type = 'price.changed'`
    const at = row!.at
    const preview = (now: Instant) => previewSubscription(db.sql, wanted, now)
    expect(await preview(plus(at, 30 * DAY))).toEqual({ since: at, events: 1, byType: { 'price.changed': 1 } })
    expect(await preview(plus(at, 30 * DAY + 1))).toEqual({ since: plus(at, 1), events: 0, byType: {} })
  })

  it('refuses what a webhook would refuse, with the field', async () => {
    const wanted = { eventTypes: ['price.changed' as const], providers: ['nobody'] }
    await expect(previewSubscription(db.sql, wanted)).rejects.toMatchObject({
      code: 'invalid_body',
      field: 'providers',
    })
    const unknown = { eventTypes: ['price.changed' as const], providers: ['*'], aliases: ['no-such-group'] }
    await expect(previewSubscription(db.sql, unknown)).rejects.toMatchObject({ code: 'invalid_body', field: 'aliases' })
    const gone = { ...unknown, aliases: ['01a2066e-2902-75fe-8f04-02d3c0e5a272'] }
    expect((await previewSubscription(db.sql, gone)).events).toBe(0)
  })
})

describe('what a webhook can be about', () => {
  const db = testDatabase()

  it('is found by a part of its name: first what begins with it, then the shortest', async () => {
    await seedProviders(db.sql, undefined, [{ provider: 'openai' }, { provider: 'mistral' }])
    await db.sql`
      insert into resource (source, provider, resource, first_priced_at)
      select 'seed', r.provider, r.resource, now()
      from (values ('openai', 'old-gpt'), ('openai', 'gpt-5-mini'), ('openai', 'GPT-5'), ('mistral', '100%_gpt'))
           as r (provider, resource)`
    const names = async (search: string, providers?: string[]) =>
      (await findResourceChoices(db.sql, { search, providers })).map(({ resource }) => resource)
    expect(await names('gpt')).toEqual(['GPT-5', 'gpt-5-mini', 'old-gpt', '100%_gpt'])
    expect(await names('gpt', ['mistral'])).toEqual(['100%_gpt'])
    expect(await names('%_')).toEqual(['100%_gpt'])
    expect((await listProviderChoices(db.sql)).map(({ provider }) => provider)).toEqual(['mistral', 'openai'])
  })
})
