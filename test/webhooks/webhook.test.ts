import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteGroup } from '../../src/aliases/delete-group.ts'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { AppError } from '../../src/lib/errors.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import type { WebhookBody } from '../../src/webhooks/schema.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { getWebhook, listWebhooks } from '../../src/webhooks/subscriptions/list-webhooks.ts'
import { testDatabase } from '../support/database.ts'
import { addProviders, addWorkspace, operator, tools } from '../support/webhooks/subscriptions.ts'

const body = (given: object = {}) =>
  ({
    name: 'hook',
    url: 'https://hooks.example.com/a',
    eventTypes: ['price.changed'],
    providers: ['acme'],
    ...given,
  }) as WebhookBody
const texts = (count: number, length = 3) => Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, 'x'))
const nobody = '00000000-0000-7000-8000-000000000000'

describe('configuring a webhook', () => {
  const db = testDatabase()
  let workspaceId = ''
  const groups: string[] = []
  beforeAll(async () => {
    await addProviders(db.sql, ['acme', 'resale', 'pending-one'])
    for (let i = 0; i < 51; i++) {
      const members = [{ provider: 'acme', resource: `m${i}` }]
      groups.push((await saveGroup(db.sql, { name: `group ${i}`, members, actor: 'test' })).id)
    }
  })
  beforeEach(async () => {
    workspaceId = await addWorkspace(db.sql)
  })
  const create = (given: object = {}) => createWebhook(db.sql, tools, workspaceId, body(given))
  const refusal = async (promise: Promise<unknown>) => {
    const error = await promise.then(
      () => undefined,
      (reason) => reason,
    )
    if (!(error instanceof AppError)) throw error ?? new Error('was not refused')
    return { status: error.status, code: error.code, field: error.field }
  }
  const invalid = (field: string) => ({ status: 400, code: 'invalid_body', field })

  it('shows what was saved, and the secret once', async () => {
    const filters = { acme: { resources: ['m1', 'm1', 'acme/m2'], documents: ['terms-of-use'] } }
    const { webhook, secret } = await create({ name: ' hook ', filters, aliases: ['group 1', groups[0]] })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(webhook).toEqual({
      id: webhook.id,
      workspaceId,
      name: 'hook',
      url: 'https://hooks.example.com/a',
      state: 'active',
      failuresInRow: 0,
      createdAt: webhook.createdAt,
      updatedAt: webhook.createdAt,
      eventTypes: ['price.changed'],
      providers: ['acme'],
      filters: { acme: { resources: ['m1', 'acme/m2'], documents: ['terms-of-use'] } },
      aliases: [
        { id: groups[1], name: 'group 1', deleted: false },
        { id: groups[0], name: 'group 0', deleted: false },
      ],
      minSignificance: 'low',
      minChange: 0,
    })
    expect(await getWebhook(db.sql, { workspaceId, id: webhook.id })).toEqual(webhook)
    expect(await listWebhooks(db.sql, workspaceId)).toEqual([webhook])
  })

  it('refuses the 21st webhook of a workspace, however many are created at once', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 25 }, () => create()))
    const refused = tries.filter((result) => result.status === 'rejected')
    expect(refused.map(({ reason }) => `${reason.status} ${reason.code}`)).toEqual(Array(5).fill('409 webhook_limit'))
    expect(await listWebhooks(db.sql, workspaceId)).toHaveLength(20)
    const other = await addWorkspace(db.sql)
    expect((await createWebhook(db.sql, tools, other, body())).webhook.workspaceId).toBe(other)
  })

  it.each<[string, object, string]>([
    ['a name over 80 characters', { name: 'é'.repeat(81) }, 'name'],
    ['an empty name', { name: '  ' }, 'name'],
    ['a name with a control character', { name: 'a\u0000b' }, 'name'],
    ['no event type', { eventTypes: [] }, 'eventTypes'],
    ['an event type that does not exist', { eventTypes: ['price.changed', 'webhook.test'] }, 'eventTypes'],
    ['no provider', { providers: [] }, 'providers'],
    ['an unknown provider', { providers: ['acme', 'nobody'] }, 'providers'],
    ['a slug that cannot be one', { providers: ['Acme!'] }, 'providers'],
    ['a filter over 200 entries', { filters: { acme: { resources: texts(201) } } }, 'filters.acme.resources'],
    ['a document filter over 200 entries', { filters: { acme: { documents: texts(201) } } }, 'filters.acme.documents'],
    ['an entry over 200 characters', { filters: { acme: { resources: ['x'.repeat(201)] } } }, 'filters.acme.resources'],
    ['an entry with a control character', { filters: { acme: { documents: ['a\nb'] } } }, 'filters.acme.documents'],
    ['an empty entry', { filters: { acme: { resources: [' '] } } }, 'filters.acme.resources'],
    ['a filter of a provider that is not covered', { filters: { resale: { resources: ['m1'] } } }, 'filters.resale'],
    ['a filter of an unknown provider', { providers: ['*'], filters: { who: { resources: ['m'] } } }, 'filters.who'],
    [
      'a filter of __proto__',
      { filters: JSON.parse('{"acme":{},"__proto__":{"resources":["m1"]}}') },
      'filters.__proto__',
    ],
    ['a kind of filter that does not exist', { filters: { acme: { models: ['m1'] } } }, 'filters.acme.models'],
    ['aliases over 50', { aliases: Array.from({ length: 51 }, (_, i) => `group ${i}`) }, 'aliases'],
    ['an unknown group', { aliases: ['group 1', 'nothing'] }, 'aliases'],
    ['an unknown group id', { aliases: [nobody] }, 'aliases'],
    ['a significance that does not exist', { minSignificance: 'highest' }, 'minSignificance'],
    ['a threshold below zero', { minChange: -1 }, 'minChange'],
    ['a threshold above 1,000 per cent', { minChange: 1_001 }, 'minChange'],
    ['a threshold in words', { minChange: '5' }, 'minChange'],
    ['a significance of nothing', { minSignificance: null }, 'minSignificance'],
    ['a field that does not exist', { secret: 'mine' }, 'secret'],
    ['a name that is not text', { name: 7 }, 'name'],
  ])('refuses %s', async (_what, given, field) => {
    expect(await refusal(create(given))).toEqual(invalid(field))
  })

  it('refuses a body that is not an object', async () => {
    expect(await refusal(createWebhook(db.sql, tools, workspaceId, null as never))).toEqual({
      status: 400,
      code: 'invalid_body',
    })
  })

  it('accepts every limit itself: 80 characters, 200 entries of 200 characters, 50 groups', async () => {
    const filters = { acme: { resources: texts(200, 200), documents: texts(200, 200) } }
    const aliases = Array.from({ length: 50 }, (_, i) => `GROUP ${i}`)
    const { webhook } = await create({ name: '💶'.repeat(80), filters, aliases })
    expect(webhook.aliases).toHaveLength(50)
    expect(webhook.filters.acme?.resources).toHaveLength(200)
  })

  it('counts characters of entries as people do, and takes a threshold of zero and of 1,000 per cent', async () => {
    const filters = { acme: { resources: ['💶'.repeat(200)] } }
    expect((await create({ filters, minChange: 1_000 })).webhook).toMatchObject({ minChange: 1_000 })
    expect((await create({ minChange: 0 })).webhook).toMatchObject({ minChange: 0 })
    const over = { acme: { resources: ['💶'.repeat(201)] } }
    expect(await refusal(create({ filters: over }))).toEqual(invalid('filters.acme.resources'))
  })

  it('keeps an event type, a provider and a group once, however often and by whatever name each is listed', async () => {
    const { webhook } = await create({
      eventTypes: ['tos.changed', 'price.changed', 'tos.changed'],
      providers: ['resale', 'acme', 'resale'],
      aliases: ['group 5', groups[5], 'GROUP 5', 'group 4'],
    })
    expect(webhook.eventTypes).toEqual(['tos.changed', 'price.changed'])
    expect(webhook.providers).toEqual(['resale', 'acme'])
    expect(webhook.aliases.map(({ id }) => id)).toEqual([groups[5], groups[4]])
  })

  it('lists the webhooks of a workspace, the oldest first', async () => {
    const names = ['c', 'a', 'b']
    for (const name of names) await create({ name })
    const [first] = await listWebhooks(db.sql, workspaceId)
    await db.sql`update webhook set created_at = created_at + interval '1 hour' where webhook_id = ${first!.id}`
    expect((await listWebhooks(db.sql, workspaceId)).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('says while attempts fail what would pause it, and not once it is paused', async () => {
    const { webhook } = await create()
    const since = '2026-11-21T10:00:00.000Z'
    await db.sql`
      update webhook set failures_in_row = 2, first_failure_at = ${since} where webhook_id = ${webhook.id}`
    const shown = () => getWebhook(db.sql, { workspaceId, id: webhook.id })
    expect((await shown()).willPause).toEqual({ failuresLeft: 3, notBefore: '2026-11-22T10:00:00.000Z' })
    await db.sql`update webhook set state = 'paused', paused_at = ${since}, paused_reason = 'x' where webhook_id = ${webhook.id}`
    expect(await shown()).not.toHaveProperty('willPause')
  })

  it('accepts a pending provider, and slugs beside *', async () => {
    expect((await create({ providers: ['pending-one'] })).webhook.providers).toEqual(['pending-one'])
    expect((await create({ providers: ['resale', '*', '*'] })).webhook.providers).toEqual(['*', 'resale'])
  })

  it('asks for the URL’s check before it saves, and saves nothing when it is refused', async () => {
    const asked: string[] = []
    const checkUrl = async (url: string) => {
      asked.push(url)
      throw new AppError('invalid_url', 'no', { field: 'url' })
    }
    const picky = { secretKey: randomBytes(32), checkUrl }
    expect((await refusal(createWebhook(db.sql, picky, workspaceId, body()))).code).toBe('invalid_url')
    expect(await listWebhooks(db.sql, workspaceId)).toEqual([])
    const { webhook } = await create()
    const edit = editWebhook(operator(db.sql), picky, { workspaceId, id: webhook.id }, { url: 'https://10.0.0.1/' })
    expect((await refusal(edit)).code).toBe('invalid_url')
    expect(asked).toEqual(['https://hooks.example.com/a', 'https://10.0.0.1/'])
    await editWebhook(operator(db.sql), picky, { workspaceId, id: webhook.id }, { name: 'the same address' })
    expect(asked).toHaveLength(2)
    expect((await getWebhook(db.sql, { workspaceId, id: webhook.id })).url).toBe('https://hooks.example.com/a')
  })

  it('keeps what an edit does not name', async () => {
    const filters = { acme: { resources: ['m1'], documents: [] } }
    const { webhook } = await create({ filters, aliases: ['group 3'] })
    const ref = { workspaceId, id: webhook.id }
    const after = await editWebhook(operator(db.sql), tools, ref, { name: 'new name' })
    expect(after).toEqual({ ...webhook, name: 'new name', updatedAt: after.updatedAt })
    const cleared = await editWebhook(operator(db.sql), tools, ref, { filters: {}, aliases: [] })
    expect([cleared.filters, cleared.aliases]).toEqual([{}, []])
  })

  it('refuses an edit over a limit', async () => {
    const { webhook } = await create()
    const ref = { workspaceId, id: webhook.id }
    const edit = (patch: object) => refusal(editWebhook(operator(db.sql), tools, ref, patch))
    expect(await edit({ name: 'x'.repeat(81) })).toEqual(invalid('name'))
    expect(await edit({ providers: ['nobody'] })).toEqual(invalid('providers'))
    expect(await edit({ aliases: Array.from({ length: 51 }, (_, i) => `group ${i}`) })).toEqual(invalid('aliases'))
  })

  it('restarts the failure count when the URL changes, and only then; an edit keeps a paused webhook paused', async () => {
    const { webhook } = await create()
    const ref = { workspaceId, id: webhook.id }
    await db.sql`
      update webhook set state = 'paused', paused_reason = 'failed', paused_at = created_at, failures_in_row = 4,
             first_failure_at = created_at where webhook_id = ${webhook.id}`
    const renamed = await editWebhook(operator(db.sql), tools, ref, { name: 'b', url: webhook.url })
    expect([renamed.state, renamed.pausedReason, renamed.failuresInRow]).toEqual(['paused', 'failed', 4])
    const moved = await editWebhook(operator(db.sql), tools, ref, { url: 'https://hooks.example.com/b' })
    expect([moved.state, moved.failuresInRow]).toEqual(['paused', 0])
    const [row] = await db.sql`select first_failure_at from webhook where webhook_id = ${webhook.id}`
    expect(row).toEqual({ first_failure_at: null })
  })

  it('keeps a group that was deleted later through edits, and does not let it be added', async () => {
    const group = { name: 'short-lived', members: [{ provider: 'acme', resource: 'm1' }], actor: 'test' }
    const { id } = await saveGroup(db.sql, group)
    const { webhook } = await create({ aliases: [id, 'group 2'] })
    await deleteGroup(db.sql, { id, actor: 'test' })
    const edit = { aliases: webhook.aliases.map((group) => group.id), name: 'edited' }
    const after = await editWebhook(operator(db.sql), tools, { workspaceId, id: webhook.id }, edit)
    expect(after.aliases).toEqual([
      { id, name: 'short-lived', deleted: true },
      { id: groups[2], name: 'group 2', deleted: false },
    ])
    expect(await refusal(create({ aliases: [id] }))).toEqual(invalid('aliases'))
  })

  it('finds no webhook of another workspace, and none by what is not an id', async () => {
    const { webhook } = await create()
    const other = await addWorkspace(db.sql)
    const missing = { status: 404, code: 'not_found' }
    expect(await refusal(getWebhook(db.sql, { workspaceId: other, id: webhook.id }))).toEqual(missing)
    expect(await refusal(getWebhook(db.sql, { workspaceId, id: 'x' }))).toEqual(missing)
    const edit = editWebhook(operator(db.sql), tools, { workspaceId: other, id: webhook.id }, { name: 'mine' })
    expect(await refusal(edit)).toEqual(missing)
    expect(await refusal(createWebhook(db.sql, tools, nobody, body()))).toEqual(missing)
  })
})
