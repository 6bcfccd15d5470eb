import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Api } from '../../src/api/route.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { resendDelivery } from '../../src/webhooks/resend/resend-delivery.ts'
import { addAccount, addMember, addOperator } from '../support/accounts.ts'
import { appServer, send } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'
import { addDeliveries } from '../support/webhooks/deliveries.ts'
import { addWebhook, addWorkspace, operator } from '../support/webhooks/subscriptions.ts'

describe('what signed-in users read of the catalog and of their own workspaces', () => {
  const db = testDatabase()
  let server: Api
  let [olga, ada] = [] as unknown as Awaited<ReturnType<typeof addAccount>>[] as [
    Awaited<ReturnType<typeof addOperator>>,
    Awaited<ReturnType<typeof addAccount>>,
  ]
  let [own, shared] = ['', '']
  const groups: Record<string, string> = {}
  const read = async (path: string, session = ada.sessionToken) =>
    (await send(server, path.includes(' ') ? path : `GET ${path}`, { session })).json

  beforeAll(async () => {
    server = await appServer(db.sql, { PRICETAPE_TEMPORAL_UI_URL: 'https://temporal.example/' })
    olga = await addOperator(db.sql)
    ada = await addAccount(db.sql, 'ada@example.com')
    own = (await foundWorkspace(db.sql, ada, { name: 'Own' })).workspaceId
    shared = (await foundWorkspace(db.sql, olga, { name: 'Shared' })).workspaceId
    await addMember(db.sql, shared, ada.accountId, 'member')
    const at = '2026-01-01T00:00:00.000Z' as Instant
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }, { provider: 'resale' }])
    const rows = [
      { provider: 'acme', resource: 'large', price: '1' },
      { provider: 'resale', resource: 'acme-large', price: '2' },
    ]
    await publish(db.sql, rows, at)
    await db.sql`
      insert into resource (source, provider, resource, first_priced_at)
      select source, provider, resource, ${at}::timestamptz from publication on conflict do nothing`
    const others = await addWorkspace(db.sql, 'Others')
    for (const [workspaceId, name] of [
      [own, 'Large Alerts'],
      [own, 'Nightly'],
      [shared, 'more alerts'],
      [others, 'Alerts of others'],
    ] as const)
      await addWebhook(db.sql, workspaceId, { name })
    const [large, resold] = rows.map(({ provider, resource }) => ({ provider, resource }))
    for (const [name, members] of Object.entries({ Large: [large!, resold!], Alone: [large!] }))
      groups[name] = (await saveGroup(db.sql, { name, members, actor: 'test' })).id
  })
  afterAll(() => server.close())

  it('finds webhooks of their workspaces by a part of the name, in any capitals, and no others', async () => {
    const found = async (q: string, session?: string) =>
      ((await read(`/v1/search?q=${q}`, session)).webhooks as { name: string; workspace: string }[])
        .map(({ name, workspace }) => `${workspace}: ${name}`)
        .sort()
    expect(await found('ALERTS')).toEqual(['Own: Large Alerts', 'Shared: more alerts'])
    expect(await found('night')).toEqual(['Own: Nightly'])
    expect(await found('alerts', olga.sessionToken)).toEqual(['Shared: more alerts'])
    expect(await found('others')).toEqual([])
  })

  it('chooses among providers, resources and groups, each group with the number of its members', async () => {
    const choices = await read('/v1/choices')
    expect(choices).toMatchObject({ privateEndpoints: true, providers: [{ provider: 'acme' }, { provider: 'resale' }] })
    expect(choices.groups).toEqual([
      { id: groups.Alone, name: 'Alone', members: 1 },
      { id: groups.Large, name: 'Large', members: 2 },
    ])
    const resources = async (query: string) =>
      ((await read(`/v1/choices/resources?${query}`)).resources as { provider: string }[]).map((one) => one.provider)
    expect((await resources('search=large')).sort()).toEqual(['acme', 'resale'])
    expect(await resources('search=large&providers=resale,zeta')).toEqual(['resale'])
  })

  it('reads the history of one resource with the groups that it is in, and of several or a group without', async () => {
    const series = async (query: string) => {
      const answer = await read(`/v1/app/series?${query}`)
      const names = (list: unknown) => (list as { name: string }[]).map(({ name }) => name)
      return { members: (answer.members as []).length, groups: names(answer.groups), group: answer.group }
    }
    const resources = (...list: string[][]) => `resources=${encodeURIComponent(JSON.stringify(list))}`
    expect(await series(resources(['acme', 'large']))).toEqual({
      members: 1,
      groups: ['Alone', 'Large'],
      group: undefined,
    })
    expect(await series(resources(['acme', 'large'], ['resale', 'acme-large']))).toMatchObject({
      members: 2,
      groups: [],
    })
    expect(await series(`group=${groups.Alone}`)).toEqual({
      members: 1,
      groups: [],
      group: { id: groups.Alone, name: 'Alone' },
    })
    expect(await send(server, 'GET /v1/app/series', { session: ada.sessionToken })).toMatchObject({ status: 400 })
    expect(await send(server, 'GET /v1/app/series?group=none', { session: ada.sessionToken })).toMatchObject({
      code: 'alias_not_found',
      field: 'group',
    })
  })

  it('refuses places and lists that no answer gave', async () => {
    const refused = async (path: string) => (await send(server, `GET ${path}`, { session: ada.sessionToken })).code
    for (const after of ['x', '[]', '["2026-01-01T00:00:00.000Z"]', '{}'])
      expect([after, await refused(`/v1/app/feed/recorded?after=${encodeURIComponent(after)}`)]).toEqual([
        after,
        'invalid_query',
      ])
    const pairs = (count: number) => JSON.stringify(Array.from({ length: count }, (_, n) => ['acme', `m${n}`]))
    expect(await refused(`/v1/app/series?resources=${encodeURIComponent(pairs(60))}`)).toBeUndefined()
    for (const resources of ['x', '{}', '[]', '[["acme"]]', pairs(61)])
      expect(await refused(`/v1/app/series?resources=${encodeURIComponent(resources)}`)).toBe('invalid_query')
  })

  it('tells operators alone how much waits for them, and where the workflow of a delivery is', async () => {
    expect((await read('/v1/app/overview', olga.sessionToken)).waiting).toBe(0)
    expect(await read('/v1/app/overview')).not.toHaveProperty('waiting')
    const id = await addWebhook(db.sql, shared, { name: 'sends' })
    const [delivery] = await addDeliveries(
      db.sql,
      { workspaceId: shared, id },
      { at: new Date().toISOString() as Instant },
    )
    const path = `/v1/webhooks/${id}/deliveries/${delivery}`
    expect((await read(path, olga.sessionToken)).temporalUrl).toMatch(
      /^https:\/\/temporal\.example\/namespaces\/[\w-]+\/workflows\//,
    )
    const shown = await read(path)
    expect(shown).toMatchObject({ delivery: { id: delivery } })
    expect(shown).not.toHaveProperty('temporalUrl')
    expect(shown).not.toHaveProperty('workflowId')
  })

  it('pauses a webhook in their name, and resumes it with what was not sent or without', async () => {
    const id = await addWebhook(db.sql, own, { name: 'pauses' })
    const at = new Date().toISOString() as Instant
    const [delivery] = await addDeliveries(db.sql, { workspaceId: own, id }, { at })
    const paused = await read(`POST /v1/webhooks/${id}/pause`)
    expect(paused.webhook).toMatchObject({ state: 'paused', pausedReason: 'Paused by ada@example.com.' })
    await db.sql`
      update delivery set status = 'failed', not_sent = 'paused', due_at = null, finished_at = ${at}
      where delivery_id = ${delivery!}`
    const resumed = await read(`POST /v1/webhooks/${id}/resume`)
    expect(resumed).toMatchObject({ webhook: { state: 'active' } })
    expect(resumed).not.toHaveProperty('resent')
    await read(`POST /v1/webhooks/${id}/pause`)
    await expect(resendDelivery(operator(db.sql), { workspaceId: own, id }, delivery!)).rejects.toMatchObject({
      code: 'webhook_paused',
    })
    expect(await read(`POST /v1/webhooks/${id}/resume?resend=paused`)).toMatchObject({
      webhook: { state: 'active' },
      resent: 1,
    })
  })
})
