import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { resealMails } from '../../src/mail/reseal-mails.ts'
import { addAccount, addMember, addOperator, PASSWORD, tokenOf } from '../support/accounts.ts'
import { keepBucketsFull, testServer } from '../support/api.ts'
import { SECRET_KEY, send } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { testOutbox } from '../support/outbox.ts'
import { type ReceivedMail, startMailServer } from '../support/servers/mail-server.ts'

const NEW = 'another long password'

describe('links by mail, through an SMTP server', () => {
  const db = testDatabase({ each: true })
  let smtp: Awaited<ReturnType<typeof startMailServer>>
  let server: Api
  beforeEach(async () => {
    smtp = await startMailServer()
    server = await testServer(db.sql, {
      SMTP_URL: `smtp://127.0.0.1:${smtp.address.port}`,
      PRICETAPE_MAIL_FROM: 'prices@example.com',
      PRICETAPE_PUBLIC_URL: 'http://prices.example.com/',
      PRICETAPE_SIGN_UP: 'open',
      PRICETAPE_SECRET_KEY: SECRET_KEY,
    })
    keepBucketsFull(server, db.sql)
  })
  afterEach(async () => {
    await server.close()
    await smtp.stop()
  })
  /** Mail is sent after the answer. */
  const arrived = async (n: number): Promise<ReceivedMail> =>
    expect
      .poll(() => smtp.received[n - 1], { timeout: 10_000, interval: 10 })
      .toBeDefined()
      .then(() => smtp.received[n - 1]!)
  const mailTo = async (address: string, nth = 1): Promise<ReceivedMail> => {
    const found = () => smtp.received.filter(({ to }) => to[0] === address)[nth - 1]
    await expect.poll(found, { timeout: 10_000, interval: 10 }).toBeDefined()
    return found()!
  }
  const secretKey = Buffer.from(SECRET_KEY, 'base64')
  const outbox = () => testOutbox(db.sql, smtp, { secretKey })
  /** The server's own attempts are over. */
  const tried = (n: number) =>
    expect
      .poll(async () => (await outbox().mails()).filter(({ attempts }) => attempts > 0), {
        timeout: 10_000,
        interval: 10,
      })
      .toHaveLength(n)
  const post = (path: string, body: unknown, session?: string) => send(server, `POST ${path}`, { body, session })

  it('someone signs up: the link creates an account whose address is confirmed', async () => {
    await addOperator(db.sql)
    const asked = await post('/v1/sign-up', { email: 'Ada@example.com' })
    expect([asked.status, asked.json]).toEqual([202, {}])
    const mail = await arrived(1)
    expect(mail.to).toEqual(['Ada@example.com'])
    expect(mail.text).toContain('http://prices.example.com/sign-up#token=')
    const body = { token: tokenOf(mail.text), name: 'Ada', password: PASSWORD }
    const created = await post('/v1/account', body)
    expect(created.json.account).toMatchObject({ email: 'Ada@example.com', operator: false })
    expect((created.json.account as { emailVerifiedAt: string }).emailVerifiedAt).toMatch(/Z$/)
    expect(await post('/v1/account', body)).toMatchObject({ status: 400, code: 'invalid_link', field: 'token' })
  })

  it('the answer to a sign-up is the same for an address with an account; the mail says so instead', async () => {
    await addOperator(db.sql)
    const known = await post('/v1/sign-up', { email: 'olga@example.com' })
    const unknown = await post('/v1/sign-up', { email: 'new@example.com' })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    await arrived(2)
    const mail = smtp.received.find(({ to }) => to[0] === 'olga@example.com')!
    expect(mail.headers.subject).toBe('You have a Pricetape account')
    expect(mail.text).not.toContain('#token=')
  })

  it('a password is reset with the link, and a reset for an unknown address gets the same answer and no mail', async () => {
    const { sessionToken } = await addOperator(db.sql)
    const unknown = await post('/v1/password-reset', { email: 'nobody@example.com' })
    const known = await post('/v1/password-reset', { email: 'olga@example.com' })
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text])
    const token = tokenOf((await arrived(1)).text)
    expect(smtp.received.map(({ to }) => to[0])).toEqual(['olga@example.com'])
    expect((await post('/v1/password-reset/confirm', { token, password: NEW })).status).toBe(204)
    expect((await send(server, 'GET /v1/account', { session: sessionToken })).status).toBe(401)
    const signedIn = await post('/v1/sessions', { email: 'olga@example.com', password: NEW })
    expect(signedIn.json.account).toMatchObject({ emailVerifiedAt: expect.stringMatching(/Z$/) })
  })

  it('the first account confirms its address', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const asked = await post('/v1/account/verification', undefined, session)
    expect([asked.status, asked.text]).toEqual([202, '{}'])
    const token = tokenOf((await arrived(1)).text)
    const confirmed = await post('/v1/account/verification/confirm', { token })
    expect([confirmed.status, confirmed.text]).toEqual([204, ''])
    expect((await post('/v1/account/verification/confirm', { token })).code).toBe('invalid_link')
    const { account } = (await send(server, 'GET /v1/account', { session })).json
    expect(account).toMatchObject({ emailVerifiedAt: expect.stringMatching(/Z$/) })
  })

  it('an address is changed with the link in the new mailbox, and the old one is notified', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const change = (body: object) => send(server, 'PUT /v1/account/email', { session, body })
    const wrong = await change({ email: 'new@example.com', currentPassword: 'wrong' })
    expect(wrong).toMatchObject({ status: 400, field: 'currentPassword' })
    expect((await change({ email: 'OLGA@example.com', currentPassword: PASSWORD })).field).toBe('email')
    expect((await change({ email: 'new@example.com', currentPassword: PASSWORD })).status).toBe(202)
    const mail = await mailTo('new@example.com')
    const asked = await mailTo('olga@example.com')
    expect(asked.headers.subject).toBe('Your Pricetape account is to have another address')
    expect(asked.text).toContain('asked for it to have the address new@example.com. A link was mailed there.')
    expect(asked.text).toContain('choose a new password at')
    expect(asked.text).not.toContain(tokenOf(mail.text))
    const emailNow = async () => {
      const { account } = (await send(server, 'GET /v1/account', { session })).json
      return (account as { email: string }).email
    }
    expect(await emailNow()).toBe('olga@example.com')
    expect((await post('/v1/account/verification/confirm', { token: tokenOf(mail.text) })).status).toBe(204)
    expect(await emailNow()).toBe('new@example.com')
    const changed = await mailTo('olga@example.com', 2)
    expect(changed.headers.subject).toBe('Your Pricetape account has another address')
    const [entry] = await db.sql`select email, detail from audit_entry where action = 'email_changed'`
    expect(entry).toMatchObject({ detail: { before: 'olga@example.com', after: 'new@example.com' } })
  })

  it.each([
    [
      'the password is reset',
      async () => {
        await post('/v1/password-reset', { email: 'olga@example.com' })
        const token = tokenOf((await mailTo('olga@example.com', 2)).text)
        expect((await post('/v1/password-reset/confirm', { token, password: NEW })).status).toBe(204)
      },
    ],
    [
      'the password is changed',
      async (session: string) => {
        const body = { currentPassword: PASSWORD, password: NEW }
        expect((await send(server, 'PUT /v1/account/password', { session, body })).status).toBeLessThan(300)
      },
    ],
    [
      'every session is ended',
      async (session: string) => {
        expect((await send(server, 'DELETE /v1/sessions', { session })).status).toBeLessThan(300)
      },
    ],
  ])('a link to another address is void once %s: who asked for it may not be the owner', async (_, secure) => {
    const { sessionToken: session } = await addOperator(db.sql)
    const body = { email: 'thief@example.com', currentPassword: PASSWORD }
    expect((await send(server, 'PUT /v1/account/email', { session, body })).status).toBe(202)
    const token = tokenOf((await mailTo('thief@example.com')).text)
    await mailTo('olga@example.com')
    await secure(session)
    expect((await post('/v1/account/verification/confirm', { token })).code).toBe('invalid_link')
    expect(await db.sql`select email from account`).toEqual([{ email: 'olga@example.com' }])
  })

  it('an invitation goes to its address, and its link is in no answer', async () => {
    const { sessionToken, workspaceId } = await addOperator(db.sql)
    const invitation = { email: 'ada@example.com', role: 'member' }
    const sent = await post(`/v1/invitations?workspace=${workspaceId}`, invitation, sessionToken)
    expect(sent.status).toBe(201)
    const mail = await arrived(1)
    expect(mail.headers.subject).toBe('You are invited to a workspace on Pricetape')
    expect(sent.text).not.toContain(tokenOf(mail.text))
    const read = await post('/v1/invitations/read', { token: tokenOf(mail.text) })
    expect(read.json.invitation).toMatchObject({ workspace: 'First workspace', email: 'ada@example.com' })
    const body = { token: tokenOf(mail.text), name: 'Ada', password: PASSWORD }
    expect((await post('/v1/account', body)).json.account).toMatchObject({
      emailVerifiedAt: expect.stringMatching(/Z$/),
    })
  })

  it('names of a workspace and a person carry no address into a mail, and nothing into its subject', async () => {
    const { sessionToken: session } = await addOperator(db.sql)
    const rename = { name: 'Support, help@evil.example' }
    expect((await send(server, 'PATCH /v1/account', { session, body: rename })).status).toBe(200)
    const name = 'Your account is locked. Sign in at https://evil.example/x'
    const { workspaceId } = (await post('/v1/workspaces', { name }, session)).json.workspace as { workspaceId: string }
    await post(`/v1/invitations?workspace=${workspaceId}`, { email: 'ada@example.com', role: 'member' }, session)
    const mail = await arrived(1)
    expect(mail.headers.subject).toBe('You are invited to a workspace on Pricetape')
    expect(mail.text).toContain('"Support, [address removed]" invites you to the workspace "Your account is locked.')
    expect(mail.text).not.toContain('evil')
  })

  it('a member whom an admin removes gets a mail, and one who leaves gets none', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    const [ada, bob] = await Promise.all(
      ['ada@example.com', 'bob@example.com'].map((email) => addAccount(db.sql, email)),
    )
    for (const { accountId } of [ada!, bob!]) await addMember(db.sql, workspaceId, accountId, 'member')
    const remove = (accountId: string, as: string) =>
      send(server, `DELETE /v1/members/${accountId}?workspace=${workspaceId}`, { session: as })
    expect((await remove(bob!.accountId, bob!.sessionToken)).status).toBe(204)
    expect((await remove(ada!.accountId, session)).status).toBe(204)
    const mail = await arrived(1)
    expect(mail.to).toEqual(['ada@example.com'])
    expect(mail.headers.subject).toBe('You were removed from a workspace on Pricetape')
    expect(mail.text).toContain('An admin removed you from the workspace "First workspace".')
  })

  it('invitations of two workspaces that the mail server does not take at first are both kept', async () => {
    const { sessionToken: session, workspaceId } = await addOperator(db.sql)
    smtp.state.refuseRecipient = { code: 451, address: 'ada@example.com' }
    const other = (await post('/v1/workspaces', { name: 'Other' }, session)).json.workspace as { workspaceId: string }
    for (const id of [workspaceId, other.workspaceId])
      await post(`/v1/invitations?workspace=${id}`, { email: 'ada@example.com', role: 'member' }, session)
    await tried(2)
    smtp.state.refuseRecipient = undefined
    await outbox().later()
    expect(await outbox().send()).toEqual({ sent: 2, problems: [] })
    expect(smtp.received.map(({ headers }) => headers.subject)).toEqual(
      Array(2).fill('You are invited to a workspace on Pricetape'),
    )
  })

  it('a mail under way is sent before the server has closed', async () => {
    await addOperator(db.sql)
    await post('/v1/password-reset', { email: 'olga@example.com' })
    await server.close()
    expect(smtp.received).toHaveLength(1)
  })

  it('a mail server that refuses does not change the answer', async () => {
    await addOperator(db.sql)
    smtp.state.refuseRecipient = { code: 550, address: 'olga@example.com' }
    expect((await post('/v1/password-reset', { email: 'olga@example.com' })).status).toBe(202)
    await post('/v1/password-reset', { email: 'nobody@example.com' })
    await expect.poll(() => smtp.state.refused, { timeout: 10_000, interval: 10 }).toBe(1)
    expect(smtp.received).toEqual([])
  })

  it('a mail that the server does not take at first is kept sealed, also with a new key, and sent with a later check', async () => {
    await addOperator(db.sql)
    smtp.state.refuseRecipient = { code: 451, address: 'olga@example.com' }
    await post('/v1/password-reset', { email: 'olga@example.com' })
    await tried(1)
    await outbox().later()
    expect(await outbox().send()).toEqual({ sent: 0, problems: [expect.stringContaining('451')] })
    expect(await outbox().send()).toEqual({ sent: 0, problems: [] })
    expect((await db.sql`select encode(sealed, 'escape') as text from outbox_mail`)[0]!.text).not.toContain('token')
    await outbox().later()
    smtp.state.refuseRecipient = undefined
    const next = randomBytes(32)
    const resealed = (from: Uint8Array[]) => db.sql.begin((tx) => resealMails(tx, from, next))
    expect(await resealed([randomBytes(32)])).toBe(0)
    expect(await resealed([secretKey])).toBe(1)
    expect(await outbox().send(undefined, next)).toEqual({ sent: 1, problems: [] })
    const { text } = await arrived(1)
    expect(await outbox().mails()).toEqual([])
    expect((await post('/v1/password-reset/confirm', { token: tokenOf(text), password: NEW })).status).toBe(204)
  })
})
