import { describe, expect, it } from 'vitest'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { addOperator, fiftyAtOnce } from '../support/accounts.ts'
import { type AppAnswer, SECRET_KEY, testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { addProviders } from '../support/webhooks/subscriptions.ts'

const HOOK = { name: 'h', url: 'https://hooks.example.com/', eventTypes: ['price.changed'], providers: ['*'] }
type CreatedWebhook = { webhook: { id: string; state: string; updatedAt: string }; secret: string }

describe('webhooks and deliveries', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  const strict = testApp(db, { PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'false' })
  const keyless = testApp(db, { PRICETAPE_SECRET_KEY: '' })
  const setUp = async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const list = `/v1/webhooks?workspace=${workspaceId}`
    const create = (body: object = HOOK) => app.send(`POST ${list}`, { session, body })
    const made = async () => (await create()).json as unknown as CreatedWebhook
    const on = (id: string) => (request: string, body?: object) => {
      const [method, path] = request.split(' ')
      return app.send(`${method} /v1/webhooks/${id}${path}`, { session, body })
    }
    return { session, workspaceId, list, create, made, on }
  }

  it('are created, read, listed, edited and deleted', async () => {
    const { session, list, made, on } = await setUp()
    const { webhook, secret } = await made()
    expect(secret).toMatch(/^whsec_/)
    const here = on(webhook.id)
    expect((await here('GET ')).json).toEqual({ webhook })
    expect((await app.send(`GET ${list}`, { session })).json).toEqual({ webhooks: [webhook], most: 20 })
    const edited = await here('PATCH ', { name: 'New', eventTypes: ['tos.changed'] })
    expect(edited.json.webhook).toMatchObject({ name: 'New', eventTypes: ['tos.changed'], providers: ['*'] })
    const { updatedAt } = (edited.json as unknown as CreatedWebhook).webhook
    expect(await here('PATCH ', { name: 'Late', ifUpdatedAt: webhook.updatedAt })).toMatchObject({
      status: 409,
      code: 'webhook_changed',
    })
    expect((await here('PATCH ', { name: 'Newer', ifUpdatedAt: updatedAt })).status).toBe(200)
    expect((await here('DELETE ')).status).toBe(204)
    expect(await here('GET ')).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('20 of 50 created at once exist, and the 21st is webhook_limit', async () => {
    const { create, workspaceId } = await setUp()
    const tools = { secretKey: Buffer.from(SECRET_KEY, 'base64'), checkUrl: async () => {} }
    const counted = await fiftyAtOnce(() =>
      createWebhook(db.sql, tools, workspaceId, { ...HOOK, eventTypes: ['tos.changed'] }),
    )
    expect(counted).toEqual({ ok: 20, webhook_limit: 30 })
    expect(await create()).toMatchObject({ status: 409, code: 'webhook_limit' })
  })

  it('name the field that is wrong or over its limit', async () => {
    const { create, made, on } = await setUp()
    await addProviders(db.sql, ['acme'])
    const entries = (n: number, length = 5) => Array.from({ length: n }, (_, i) => `${i}`.padStart(length, 'x'))
    const wrong: [object, string][] = [
      [{ ...HOOK, name: 'x'.repeat(81) }, 'name'],
      [{ ...HOOK, eventTypes: ['price.eaten'] }, 'eventTypes'],
      [{ ...HOOK, providers: ['nobody'] }, 'providers'],
      [{ ...HOOK, aliases: entries(51) }, 'aliases'],
      [{ ...HOOK, filters: { acme: { resources: entries(201) } } }, 'filters.acme.resources'],
      [{ ...HOOK, filters: { acme: { documents: entries(1, 201) } } }, 'filters.acme.documents'],
      [{ ...HOOK, filters: { acme: { resources: ['m\ud800'] } } }, 'filters.acme.resources'],
      [{ ...HOOK, filters: { acme: { documents: ['\udc00terms'] } } }, 'filters.acme.documents'],
      [{ ...HOOK, aliases: ['group \ud800'] }, 'aliases'],
      [{ ...HOOK, extra: 1 }, 'extra'],
    ]
    const { webhook } = await made()
    for (const [body, field] of wrong) {
      expect(await create(body), field).toMatchObject({ status: 400, code: 'invalid_body', field })
      const { [field.split('.')[0] as 'name']: value } = body as { name: unknown }
      const edited = await on(webhook.id)('PATCH ', { [field.split('.')[0]!]: value })
      expect(edited, field).toMatchObject({ status: 400, code: 'invalid_body', field })
    }
    const full = { acme: { resources: entries(200, 200), documents: entries(200, 200) } }
    expect((await create({ ...HOOK, filters: full })).status).toBe(201)
  })

  it('refuse an address that is not public as invalid_url', async () => {
    const { session, list, made } = await setUp()
    const { webhook } = await made()
    const long = `https://hooks.example.com/${'a'.repeat(2_048)}`
    const bad = [
      'http://hooks.example.com/',
      'https://127.0.0.1/',
      'https://localhost/',
      'https://u:p@x.com/',
      '',
      long,
    ]
    for (const url of bad) {
      const refused = { status: 400, code: 'invalid_url', field: 'url' }
      expect(await strict.send(`POST ${list}`, { session, body: { ...HOOK, url } }), url).toMatchObject(refused)
      expect(await strict.send(`PATCH /v1/webhooks/${webhook.id}`, { session, body: { url } })).toMatchObject(refused)
    }
  })

  it('a paused one refuses tests and resends; resuming with resend=paused says how many go out again', async () => {
    const { made, on } = await setUp()
    const here = on((await made()).webhook.id)
    const { deliveryId } = (await here('POST /test')).json as unknown as { deliveryId: string }
    expect((await here('POST /pause')).json.webhook).toMatchObject({
      state: 'paused',
      pausedReason: 'Paused by olga@example.com.',
    })
    const refused = { status: 409, code: 'webhook_paused' }
    expect(await here('POST /test')).toMatchObject(refused)
    expect(await here(`POST /deliveries/${deliveryId}/resend`)).toMatchObject(refused)
    await db.sql`update delivery set status = 'failed', not_sent = 'paused', due_at = null, finished_at = now()`
    expect(await here('POST /resume?resend=all')).toMatchObject({ status: 400, code: 'invalid_query', field: 'resend' })
    const resumed = await here('POST /resume?resend=paused')
    expect(resumed.json).toMatchObject({ resent: 1, webhook: { state: 'active' } })
    await here('POST /pause')
    expect((await here('POST /resume')).json).toEqual({ webhook: expect.objectContaining({ state: 'active' }) })
  })

  it('show their deliveries, one with its exact body, and resend it', async () => {
    const { made, on } = await setUp()
    const first = on((await made()).webhook.id)
    const second = on((await made()).webhook.id)
    const { deliveryId, eventId } = (await first('POST /test')).json as unknown as Record<string, string>
    const { deliveries } = (await first('GET /deliveries')).json
    expect(deliveries).toMatchObject([{ id: deliveryId, eventId, status: 'pending', attempts: [] }])
    const { delivery } = (await first(`GET /deliveries/${deliveryId}`)).json as unknown as {
      delivery: { payload: string }
    }
    expect(JSON.parse(delivery.payload)).toMatchObject({ type: 'webhook.test', id: eventId, test: true })
    expect(await second(`GET /deliveries/${deliveryId}`)).toMatchObject({ status: 404, code: 'not_found' })
    expect(await second(`POST /deliveries/${deliveryId}/resend`)).toMatchObject({ status: 404 })
    await db.sql`update delivery set status = 'failed', due_at = null, finished_at = now()`
    expect((await first(`POST /deliveries/${deliveryId}/resend`)).status).toBe(202)
    const resent = await db.sql`select subject, detail from audit_entry where action = 'delivery_resent'`
    expect(resent).toEqual([{ subject: deliveryId, detail: { webhookId: expect.any(String) } }])
    const after = (await first(`GET /deliveries/${deliveryId}`)).json.delivery
    expect(after).toMatchObject({ status: 'pending', eventId })
    expect(await first('GET /deliveries/x')).toMatchObject({ status: 404 })
  })

  it('reveal a secret and rotate it, with 24 hours in which both sign', async () => {
    const { made, on } = await setUp()
    const { webhook, secret } = await made()
    const here = on(webhook.id)
    expect((await here('POST /secret/reveal')).json).toEqual({ secret })
    const readBefore = (await here('GET ')).json as { webhook: object }
    expect(readBefore.webhook).not.toHaveProperty('previousSecretUntil')
    const rotated: AppAnswer = await here('POST /secret/rotate')
    const { secret: fresh, previousValidUntil } = rotated.json as unknown as Record<string, string>
    expect(fresh).not.toBe(secret)
    const left = Date.parse(previousValidUntil!) - Date.now()
    expect(Math.abs(left - 24 * 3_600_000)).toBeLessThan(60_000)
    expect((await here('POST /secret/reveal')).json).toEqual({ secret: fresh, previousValidUntil })
    expect(rotated.headers['cache-control']).toBe('no-store')
    // A third secret ends the oldest at once: the screen says which before it is confirmed.
    expect((await here('GET ')).json).toMatchObject({ webhook: { previousSecretUntil: previousValidUntil } })
    await db.sql`update webhook_secret set signs_until = now() - interval '1 s' where signs_until is not null`
    expect(((await here('GET ')).json as { webhook: object }).webhook).not.toHaveProperty('previousSecretUntil')
  })

  it('check a received request, whatever was pasted', async () => {
    const { made, on } = await setUp()
    const here = on((await made()).webhook.id)
    const check = async (headers: string, body = '{}') => await here('POST /check-request', { headers, body })
    const signed = (id: string) => `webhook-id: ${id}\nwebhook-timestamp: 1\nwebhook-signature: v1,a=`
    for (const id of ['evt_1', 'evt\0_1', 'evt_\ud800', 'é'])
      expect(await check(signed(id))).toMatchObject({ status: 200, json: { verifies: false } })
    const deep = '['.repeat(50_000) + ']'.repeat(50_000)
    expect(await check(signed('evt_1'), deep)).toMatchObject({ status: 200, json: { verifies: false } })
    expect((await check('x'.repeat(65_536))).status).toBe(200)
    expect(await check('x'.repeat(65_537))).toMatchObject({ status: 400, code: 'invalid_body' })
    expect((await check(signed('evt_1'), 'x'.repeat(1_048_576))).status).toBe(200)
    expect(await check(signed('evt_1'), 'x'.repeat(1_048_577))).toMatchObject({ status: 400, field: 'body' })
  })

  it('need the key of secrets: a server without it says so, and serves the rest', async () => {
    const { session, list, made } = await setUp()
    const { webhook } = await made()
    const reveal = await keyless.send(`POST /v1/webhooks/${webhook.id}/secret/reveal`, { session })
    expect(reveal).toMatchObject({ status: 503, code: 'unavailable' })
    expect((await keyless.send(`POST ${list}`, { session, body: HOOK })).status).toBe(503)
    expect((await keyless.send(`GET ${list}`, { session })).status).toBe(200)
  })
})
