import { beforeEach, describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { addAccount } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { addCatalogue } from './support.ts'

const MAILS = { SMTP_URL: 'smtp://127.0.0.1:2525', PRICETAPE_MAIL_FROM: 'p@example.com' }
const MODEL = { provider: 'openai', resource: 'gpt-5' }
const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/)
const INSTANT = expect.stringMatching(/Z$/)

describe('the routes of watches', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db, { ...MAILS, PRICETAPE_PUBLIC_URL: 'http://prices.example.com' })
  let session = ''
  beforeEach(async () => {
    await addCatalogue(db.sql)
    session = (await addAccount(db.sql, 'nora@example.com')).sessionToken
  })
  const create = (body: object) => app.send('POST /v1/account/watches', { session, body })

  it('create, list, change and delete them, with these answers as a whole', async () => {
    const watch = {
      watchId: UUID,
      ...MODEL,
      providerName: 'Openai',
      document: null,
      title: null,
      group: null,
      frequency: 'daily',
      minChange: 5,
      pausedAt: null,
      createdAt: INSTANT,
    }
    const made = await create({ ...MODEL, frequency: 'daily', minChange: 5 })
    expect([made.status, made.json]).toEqual([201, { watch }])
    const { watchId } = made.json.watch as { watchId: string }
    const patch = { frequency: 'weekly', minChange: 0, paused: true }
    const edited = await app.send(`PATCH /v1/account/watches/${watchId}`, { session, body: patch })
    const changed = { ...watch, frequency: 'weekly', minChange: 0, pausedAt: INSTANT }
    expect([edited.status, edited.json]).toEqual([200, { watch: changed }])
    const list = () => app.send('GET /v1/account/watches', { session })
    expect((await list()).json).toEqual({ mails: 'yes', watches: [changed] })
    expect((await app.send(`DELETE /v1/account/watches/${watchId}`, { session })).status).toBe(204)
    expect((await list()).json).toEqual({ mails: 'yes', watches: [] })
    const actions = await db.sql<{ action: string; detail: object }[]>`
      select action, detail from audit_entry where action like 'watch%' order by entry_id`
    expect(actions).toEqual([
      { action: 'watch_created', detail: { about: 'gpt-5 at Openai' } },
      { action: 'watch_changed', detail: patch },
      { action: 'watch_deleted', detail: {} },
    ])
  })

  it('take a group by its id, and say what a request lacks', async () => {
    const { id } = await saveGroup(db.sql, { name: 'GPT-5', members: [MODEL], actor: 'a test' })
    expect((await create({ group: id, frequency: 'at_once' })).json.watch).toMatchObject({
      group: { id, name: 'GPT-5', deleted: false },
      minChange: 0,
    })
    expect(await create({ ...MODEL, frequency: 'hourly' })).toMatchObject({ code: 'invalid_body', field: 'frequency' })
    expect(await create({ ...MODEL, frequency: 'daily', minChange: 1_001 })).toMatchObject({ field: 'minChange' })
    expect(await create({ frequency: 'daily' })).toMatchObject({ code: 'invalid_body', field: 'provider' })
    expect(await create({ group: id, frequency: 'daily' })).toMatchObject({ status: 409, code: 'watch_exists' })
  })
})

describe.each([
  ['no_mail_server', {}, 'SMTP_URL and PRICETAPE_MAIL_FROM'],
  ['no_public_url', MAILS, 'PRICETAPE_PUBLIC_URL'],
])('without what mails need (%s)', (mails, env, named) => {
  const db = testDatabase({ each: true })
  const app = testApp(db, env as Record<string, string>)

  it('nothing is watched, and the answer names the settings that are missing', async () => {
    await addCatalogue(db.sql)
    const { sessionToken: session } = await addAccount(db.sql, 'nora@example.com')
    expect((await app.send('GET /v1/account/watches', { session })).json).toEqual({ mails, watches: [] })
    const refused = await app.send('POST /v1/account/watches', { session, body: { ...MODEL, frequency: 'daily' } })
    expect(refused).toMatchObject({ status: 503, code: 'unavailable' })
    expect(refused.text).toContain(named)
  })
})
