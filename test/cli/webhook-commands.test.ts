import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { sendTestEvent } from '../../src/webhooks/manage/send-test-event.ts'
import { getWebhook } from '../../src/webhooks/subscriptions/list-webhooks.ts'
import { revealSecret } from '../../src/webhooks/subscriptions/reveal-secret.ts'
import { webhookWorkflowId } from '../../src/webhooks/workflow-schema.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { EMPTY } from '../support/empty.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import {
  addProviders,
  addWebhook,
  addWorkspace,
  everyType,
  operator,
  tools,
} from '../support/webhooks/subscriptions.ts'

/** The commands as an operator types them, against a database and a Temporal server named by settings. */
describe('operators’ commands on webhooks', () => {
  const db = testDatabase({ each: true })
  const temporal = localTemporal()
  const base64 = (key: Uint8Array) => Buffer.from(key).toString('base64')
  const run = (args: string[], env: Record<string, string> = {}) =>
    command(
      {
        DATABASE_URL: db.url,
        TEMPORAL_ADDRESS: temporal.env.address,
        PRICETAPE_SECRET_KEY: base64(tools.secretKey),
        PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true',
        PRICETAPE_DATA_DIR: join(tmpdir(), 'pricetape-nothing-runs-here'),
        ...env,
      },
      ...args,
    )
  let ref = { workspaceId: '', id: '' }
  beforeEach(async () => {
    await addProviders(db.sql, ['acme', 'globex'])
    const workspaceId = await addWorkspace(db.sql)
    ref = { workspaceId, id: await addWebhook(db.sql, workspaceId, { filters: { acme: { resources: ['m1'] } } }) }
  })

  it('`webhook update` changes what is named and nothing else, and a paused webhook stays paused', async () => {
    await db.sql`
      update webhook set state = 'paused', paused_at = created_at, paused_reason = 'x', failures_in_row = 4,
                         first_failure_at = created_at where webhook_id = ${ref.id}`
    const before = await getWebhook(db.sql, ref)
    const url = 'http://127.0.0.1:9/other'
    const args = ['webhook', 'update', ref.id, '--url', url, '--events', 'price.changed,tos.changed', '--json']
    const { code, said } = await run(args)
    expect(said).toContain('"webhook"')
    expect(code).toBe(0)
    const after = await getWebhook(db.sql, ref)
    expect(after).toEqual({
      ...before,
      url,
      eventTypes: ['price.changed', 'tos.changed'],
      failuresInRow: 0,
      updatedAt: after.updatedAt,
    })
    expect(after.state).toBe('paused')
    const cleared = await run(['webhook', 'update', ref.id, '--filters', '{}', '--providers', 'globex'])
    expect(cleared).toMatchObject({ code: 0 })
    expect(await getWebhook(db.sql, ref)).toMatchObject({ filters: EMPTY, providers: ['globex'], state: 'paused' })
  })

  it('`--min-significance` narrows changed documents, and is low unless named', async () => {
    expect(await getWebhook(db.sql, ref)).toMatchObject({ minSignificance: 'low' })
    expect(await run(['webhook', 'update', ref.id, '--min-significance', 'high'])).toMatchObject({ code: 0 })
    expect(await getWebhook(db.sql, ref)).toMatchObject({ minSignificance: 'high' })
    const wrong = await run(['webhook', 'update', ref.id, '--min-significance', 'grave'])
    expect(wrong.code).toBe(1)
    expect(wrong.said).toContain('minSignificance')
    const url = 'http://127.0.0.1:9/new'
    const created = await run([
      'webhook',
      'create',
      '--name',
      'n',
      '--url',
      url,
      '--min-significance',
      'medium',
      '--json',
    ])
    expect(JSON.parse(created.said)).toMatchObject({ webhook: { minSignificance: 'medium' } })
  })

  it('`--events "*"` means the ten usual event types, and others are named beside it', async () => {
    const update = (events: string) => run(['webhook', 'update', ref.id, '--events', events])
    const events = async () => (await getWebhook(db.sql, ref)).eventTypes
    expect(await update('*')).toMatchObject({ code: 0 })
    expect([...(await events())].sort()).toEqual([...everyType].sort())
    expect((await run(['webhook', 'list'])).said).toMatch(/\s\*\s/)
    expect(await update('*,price.announced')).toMatchObject({ code: 0 })
    expect([...(await events())].sort()).toEqual([...everyType, 'price.announced'].sort())
    expect((await run(['webhook', 'list'])).said).toContain('*,price.announced')
  })

  it('`webhook update` says in a sentence what is wrong, and saves nothing then', async () => {
    const before = await getWebhook(db.sql, ref)
    const nothing = await run(['webhook', 'update', ref.id])
    expect(nothing).toMatchObject({ code: 1 })
    expect(nothing.said).toContain('Name what should change')
    const unknown = await run(['webhook', 'update', ref.id, '--providers', 'nobody', '--filters', '{}', '--name', 'n'])
    expect(unknown).toMatchObject({ code: 1 })
    expect(unknown.said).toContain('nobody')
    expect(await getWebhook(db.sql, ref)).toEqual(before)
  })

  it('notify the workflow of a webhook, which then waits for a worker', async () => {
    expect(await run(['webhook', 'pause', ref.id])).toMatchObject({ code: 0 })
    const handle = temporal.client.workflow.getHandle(webhookWorkflowId(ref.id))
    expect((await handle.describe()).status.name).toBe('RUNNING')
    await handle.terminate()
  })

  it('do their work while Temporal is away: the next check passes it on', async () => {
    const { deliveryId } = await sendTestEvent(operator(db.sql), ref)
    const commands = ['reveal', 'rotate', 'test', 'pause', 'resume --resend', 'update --name n', 'delete'].map(
      (words) => {
        const [name, ...options] = words.split(' ')
        return ['webhook', name!, ref.id, ...options]
      },
    )
    for (const args of [['delivery', 'resend', deliveryId], ...commands]) {
      const { code, said } = await run(args, { TEMPORAL_ADDRESS: '127.0.0.1:9' })
      expect([args.join(' '), code], said).toEqual([args.join(' '), 0])
    }
    await expect(getWebhook(db.sql, ref)).rejects.toThrow('no such webhook')
  })

  it('`secrets reseal` moves every secret to the new key, from keys named in a file, and the secrets stay the same', async () => {
    const { secret } = await revealSecret(db.sql, tools.secretKey, ref)
    const next = randomBytes(32)
    const lost = await run(['secrets', 'reseal'], { PRICETAPE_SECRET_KEY: base64(next) })
    expect(lost).toMatchObject({ code: 1 })
    expect((await revealSecret(db.sql, tools.secretKey, ref)).secret).toBe(secret)
    const file = join(tmpdir(), `pricetape-old-${randomBytes(4).toString('hex')}`)
    await writeFile(file, `${base64(randomBytes(32))}\n${base64(tools.secretKey)}\n`)
    const args = ['secrets', 'reseal', '--old-keys', file, '--json']
    const done = await run(args, { PRICETAPE_SECRET_KEY: base64(next) })
    expect(done.said).toContain('"resealed":1')
    expect((await revealSecret(db.sql, next, ref)).secret).toBe(secret)
    const back = await run(['secrets', 'reseal'], { PRICETAPE_OLD_SECRET_KEYS: base64(next) })
    expect(back.said).toContain('1 webhook secret sealed')
    expect((await revealSecret(db.sql, tools.secretKey, ref)).secret).toBe(secret)
  })
})
