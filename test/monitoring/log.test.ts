import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveryActivities } from '../../activities/deliveries.ts'
import type { Api } from '../../src/api/route.ts'
import { readConfig } from '../../src/lib/config.ts'
import { instantOf } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { openSql } from '../../src/lib/postgres/database.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { connect } from '../../src/lib/sql.ts'
import { createWorkRecorder } from '../../src/monitoring/record-work.ts'
import { buildServer } from '../../src/server.ts'
import { addOperator, PASSWORD, tokenOf } from '../support/accounts.ts'
import { keepBucketsFull } from '../support/api.ts'
import { SECRET_KEY, send } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { freePort } from '../support/servers/ports.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { addDeliveries, testContext } from '../support/webhooks/deliveries.ts'

const MAIL_PASSWORD = 'mail-password-9'
const DATABASE_PASSWORD = 'database-password-9'
const PATH_TOKEN = 'path-token-9'

describe('the log', () => {
  const db = testDatabase({ each: true })
  let receiver: Receiver
  let smtp: Awaited<ReturnType<typeof startMailServer>>
  let server: Api
  let written: string[]
  beforeAll(async () => {
    receiver = await startReceiver({ answer: { status: 500 } })
    smtp = await startMailServer({ onAuth: ({ username }, _session, done) => done(null, { user: username }) })
  })
  afterAll(async () => {
    await receiver.close()
    await smtp.stop()
  })
  const log = () => createLog('trace', 'json', { write: (line: string) => void written.push(line) })
  const settings = (smtpPort: number) =>
    readConfig({
      SMTP_URL: `smtp://prices:${MAIL_PASSWORD}@127.0.0.1:${smtpPort}`,
      PRICETAPE_MAIL_FROM: 'prices@example.com',
      PRICETAPE_SECRET_KEY: SECRET_KEY,
      PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true',
    })
  beforeEach(async () => {
    written = []
    server = await buildServer({ sql: db.sql, config: settings(smtp.address.port), log: log() })
    keepBucketsFull(server, db.sql)
  })
  afterEach(() => server.close())

  const lines = (message: string) =>
    written.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message)

  it('says who requested what, what was sent, and who paused it, and never holds a secret', async () => {
    const secrets: string[] = [PASSWORD, MAIL_PASSWORD, DATABASE_PASSWORD, PATH_TOKEN, SECRET_KEY]
    const { email, workspaceId } = await addOperator(db.sql)
    const signedIn = await send(server, 'POST /v1/sessions', { body: { email, password: PASSWORD } })
    const session = signedIn.session!
    secrets.push(session)
    await send(server, 'POST /v1/sessions', { body: { email, password: 'wrong-password-9' } })
    secrets.push('wrong-password-9')
    const act = (request: string, body?: unknown) => send(server, request, { body, session })

    // Keys, in the header where they belong and where they do not.
    const made = await act(`POST /v1/keys?workspace=${workspaceId}`, { name: 'Reader' })
    const { key } = (made.json as { key: { key: string } }).key
    secrets.push(key, 'ptk_made_up')
    for (const [path, sent] of [
      ['providers', key],
      [`providers?key=${key}`, key],
      ['catalog?provider=x', key],
      ['providers', 'ptk_made_up'],
    ])
      await send(server, `GET /v1/${path}`, { headers: { authorization: `Bearer ${sent}` } })

    // A webhook's life, with an attempt that fails.
    const body = {
      name: 'Orders',
      url: `${receiver.url}/${PATH_TOKEN}`,
      providers: ['*'],
      eventTypes: ['price.changed'],
    }
    const created = await act(`POST /v1/webhooks?workspace=${workspaceId}`, body)
    const { webhook, secret } = created.json as { webhook: { id: string }; secret: string }
    const rotated = await act(`POST /v1/webhooks/${webhook.id}/secret/rotate`)
    secrets.push(secret, (rotated.json as { secret: string }).secret)
    await act(`POST /v1/webhooks/${webhook.id}/secret/reveal`)
    const now = instantOf(Date.now())
    const [deliveryId] = await addDeliveries(db.sql, { workspaceId, id: webhook.id }, { at: now })
    const ctx = { ...testContext(db.sql, undefined as never), log: log(), secretKey: Buffer.from(SECRET_KEY, 'base64') }
    const { post } = createSafeFetch({ allowPrivate: true })
    const tools = { post, workflows: undefined as never, record: createWorkRecorder(ctx) }
    await deliveryActivities(ctx, tools).attempt({ deliveryId: deliveryId!, cycle: 1, number: 1, run: 1, now })
    for (const button of ['pause', 'resume', 'pause', 'resume?resend=paused'])
      await act(`POST /v1/webhooks/${webhook.id}/${button}`)

    // Links and feeds, whose addresses are secrets; a mail server that is away.
    await send(server, 'POST /v1/password-reset', { body: { email } })
    await expect.poll(() => smtp.received.length, { timeout: 10_000 }).toBeGreaterThan(0)
    secrets.push(tokenOf(smtp.received[0]!.text))
    const feed = await act('POST /v1/account/feed')
    const { path } = feed.json as { path: string }
    secrets.push(path.split('/')[2]!)
    await send(server, `GET ${path}`)
    const mute = await buildServer({ sql: db.sql, config: settings(await freePort()), log: log() })
    await send(mute, 'POST /v1/password-reset', { body: { email } })
    await mute.close()

    // A database that is away, and a database of no one.
    const url = `postgres://nobody:${DATABASE_PASSWORD}@127.0.0.1:${await freePort()}/none`
    const away = connect(url)
    const dark = await buildServer({ sql: away, config: settings(smtp.address.port), log: log() })
    await send(dark, 'GET /v1/providers', { headers: { authorization: `Bearer ${key}` } })
    await openSql(url).catch((err) => log().error({ err }))
    await dark.close()
    await away.end({ timeout: 0 })

    expect(lines('request')).toContainEqual(
      expect.objectContaining({
        method: 'GET',
        route: '/v1/providers',
        status: 200,
        keyId: expect.any(String),
        workspaceId,
      }),
    )
    expect(lines('request')).toContainEqual(
      expect.objectContaining({ route: '/v1/catalog', status: 404, code: 'provider_not_found' }),
    )
    expect(lines('request')).toContainEqual(
      expect.objectContaining({
        method: 'POST',
        route: '/v1/webhooks/:webhookId/pause',
        webhookId: webhook.id,
        accountId: expect.any(String),
      }),
    )
    expect(lines('attempt failed')).toEqual([
      expect.objectContaining({
        deliveryId,
        webhookId: webhook.id,
        number: 1,
        status: 500,
        host: `127.0.0.1:${receiver.port}`,
        lagMs: expect.any(Number),
      }),
    ])
    expect(lines('webhook paused')).toHaveLength(2)
    expect(lines('webhook resumed')).toHaveLength(2)
    const found = secrets.filter((secret) => written.some((line) => line.includes(secret)))
    expect(found).toEqual([])
    expect(secrets.every((secret) => secret.length >= 8)).toBe(true)
  })

  it('has a line for each request with how long it took, and probes and files only where everything is logged', async () => {
    server.get('/slow', () => new Promise((done) => setTimeout(done, 120, {})))
    for (const path of ['/slow', '/healthz', '/readyz/reads', '/v1/log/tile/0/000', '/v1/providers', '/none'])
      await send(server, `GET ${path}`)
    const levels = lines('request').map(({ route, level }) => `${route} ${level}`)
    expect(levels).toEqual([
      ...['/slow 30', '/healthz 20', '/readyz/reads 20', '/v1/log/* 20', '/v1/providers 30', 'none 30'],
    ])
    const [slow] = lines('request')
    expect(slow!.durationMs).toBeGreaterThanOrEqual(119)
    expect(slow!.durationMs).toBeLessThan(60_000)
    expect(slow).not.toHaveProperty('code')
  })

  it('cuts out by its name what may hold a secret', () => {
    log().info({
      token: 'abcdefgh',
      of: { password: 'abcdefgh', sessionToken: 'abcdefgh' },
      url: 'abcdefgh',
      name: 'kept',
    })
    expect(written.join('')).not.toContain('abcdefgh')
    expect(written.join('')).toContain('kept')
  })

  it('cuts out by its form what looks like a secret, in whatever text it stands', () => {
    const err = new Error('refused: Bearer ptk_abcdefgh')
    log().warn({ err, note: 'whsec_abcdefgh=', at: 'postgres://user:abcdefgh@db/prices' }, 'sent ptk_abcdefgh to us')
    expect(written.join('')).not.toContain('abcdefgh')
    expect(JSON.parse(written[0]!)).toMatchObject({
      msg: 'sent ptk_[redacted] to us',
      note: 'whsec_[redacted]',
      at: 'postgres://user:[redacted]@db/prices',
    })
  })

  it('says of an error what it is, and nothing that a driver hangs on it', () => {
    const cause = Object.assign(new Error('the deeper one'), { parameters: ['abcdefgh'] })
    const err = Object.assign(new Error('it failed', { cause }), { query: 'select $1', parameters: ['abcdefgh'] })
    log().error({ err }, 'a statement failed')
    const stack = expect.any(String)
    expect(JSON.parse(written[0]!).err).toEqual({
      name: 'Error',
      message: 'it failed',
      stack,
      cause: { name: 'Error', message: 'the deeper one', stack },
    })
  })
})
