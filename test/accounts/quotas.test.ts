import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { acceptInvitation } from '../../src/accounts/invitations/accept-invitation.ts'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { listApiKeys } from '../../src/accounts/keys/list-api-keys.ts'
import { joinWorkspace } from '../../src/accounts/members/join-workspace.ts'
import { listMembers } from '../../src/accounts/members/list-members.ts'
import { createAccount } from '../../src/accounts/users/create-account.ts'
import { listAccounts } from '../../src/accounts/users/disable-account.ts'
import { changeQuota } from '../../src/accounts/workspaces/change-quota.ts'
import { quotaBucket, type WorkspaceQuota, workspaceQuota } from '../../src/accounts/workspaces/quota-rules.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { addAccount, addOperator, device, fiftyAtOnce, PASSWORD, silentMail, tokenOf } from '../support/accounts.ts'
import { testServer } from '../support/api.ts'
import { SECRET_KEY, testApp } from '../support/app/app.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { steppedClock } from '../support/stepped-clock.ts'

const NONE: WorkspaceQuota = { webhooks: null, apiKeys: null, members: null, requestsPerMinute: null }

describe('quotas', () => {
  it('are never above the limits of the specification', () => {
    const isQuota = (quota: object) => workspaceQuota.safeParse({ ...NONE, ...quota }).success
    expect([isQuota({ webhooks: 20 }), isQuota({ webhooks: 21 }), isQuota({ webhooks: -1 })]).toEqual([
      true,
      false,
      false,
    ])
    expect([isQuota({ apiKeys: 0 }), isQuota({ apiKeys: 21 }), isQuota({ apiKeys: 1.5 })]).toEqual([true, false, false])
    expect([isQuota({ members: 0 }), isQuota({ members: 10_000 }), isQuota({ members: 10_001 })]).toEqual([
      false,
      true,
      false,
    ])
    expect([isQuota({ requestsPerMinute: 600 }), isQuota({ requestsPerMinute: 601 })]).toEqual([true, false])
    expect(quotaBucket(600)).toEqual({ rate: 10, burst: 40 })
    expect(quotaBucket(6)).toEqual({ rate: 0.1, burst: 6 })
  })
})

describe('a workspace with quotas', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  let workspaceId: string
  let admin: { accountId: string; sessionToken: string }
  beforeEach(async () => {
    const operator = await addOperator(db.sql)
    workspaceId = operator.workspaceId
    admin = operator
  })
  const allow = (quota: Partial<WorkspaceQuota>) => changeQuota(db.sql, workspaceId, { ...NONE, ...quota })

  it('gets no more API keys and webhooks, however many are created at once, and reads whom to ask', async () => {
    await allow({ apiKeys: 3, webhooks: 2 })
    expect(await fiftyAtOnce((n) => createApiKey(db.sql, { workspaceId, name: `k${n}` }))).toEqual({
      ok: 3,
      api_key_limit: 47,
    })
    const tools = { secretKey: Buffer.from(SECRET_KEY, 'base64'), checkUrl: async () => {} }
    const body = {
      name: 'h',
      url: 'https://hooks.example.com/',
      eventTypes: ['price.changed' as const],
      providers: ['*'],
    }
    expect(await fiftyAtOnce(() => createWebhook(db.sql, tools, workspaceId, body))).toEqual({
      ok: 2,
      webhook_limit: 48,
    })
    await expect(createApiKey(db.sql, { workspaceId, name: 'k' })).rejects.toThrow(
      'at most 3 API keys: delete one, or ask an operator of this installation for more.',
    )
    // What is there stays.
    await allow({ apiKeys: 1 })
    expect(await listApiKeys(db.sql, workspaceId)).toHaveLength(3)
    const most = async (what: string) =>
      (await app.send(`GET /v1/${what}?workspace=${workspaceId}`, { session: admin.sessionToken })).json.most
    expect([await most('keys'), await most('webhooks')]).toEqual([1, 20])
    await allow({ apiKeys: 0, webhooks: 0 })
    expect([await most('keys'), await most('webhooks')]).toEqual([0, 0])
    await allow({})
    await createApiKey(db.sql, { workspaceId, name: 'k' })
  })

  it('gets no more members, however they come', async () => {
    await allow({ members: 3 })
    const people = await Promise.all(['a', 'b', 'c', 'd'].map((name) => addAccount(db.sql, `${name}@example.com`)))
    const links = new Map<string, string>()
    for (const { email } of people) {
      const acting = { workspaceId, accountId: admin.accountId }
      const { link } = await sendInvitation(db.sql, silentMail(), acting, { email, role: 'member' })
      links.set(email, tokenOf(link!))
    }
    const answers = await Promise.allSettled(people.map((one) => acceptInvitation(db.sql, one, links.get(one.email)!)))
    const refused = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    expect(refused).toEqual(['member_limit', 'member_limit'])
    expect(await listMembers(db.sql, workspaceId)).toHaveLength(3)
    const outside = people[answers.findIndex(({ status }) => status === 'rejected')]!
    await expect(joinWorkspace(db.sql, { email: outside.email, workspaceId, role: 'member' })).rejects.toThrow(
      'may have 3 members: an admin removes one, or asks an operator of this installation for more.',
    )
    const acting = { workspaceId, accountId: admin.accountId }
    const invited = await sendInvitation(db.sql, silentMail(), acting, { email: 'new@example.com', role: 'member' })
    const given = { token: tokenOf(invited.link!), name: 'New', password: PASSWORD }
    const join = () => createAccount(db.sql, given, device, { mailWorks: false })
    await expect(join()).rejects.toMatchObject({ code: 'member_limit' })
    expect(await listAccounts(db.sql)).toHaveLength(5)
    // An invitation that was refused is not used up.
    await allow({ members: 5 })
    await acceptInvitation(db.sql, outside, links.get(outside.email)!)
    await join()
    expect(await listMembers(db.sql, workspaceId)).toHaveLength(5)
  })

  it('sends no more requests a minute, with keys and sessions together, beside the limits of the specification', async () => {
    await allow({ requestsPerMinute: 3 })
    const { key } = await createApiKey(db.sql, { workspaceId, name: 'k' })
    const server = await testServer(db.sql)
    const read = () => server.inject({ url: '/v1/providers', headers: { authorization: `Bearer ${key}` } })
    await db.sql`delete from rate_bucket`
    const first = await read()
    expect([first.statusCode, (await read()).statusCode]).toEqual([200, 200])
    expect(first.headers['ratelimit-policy']).toMatch(/, "quota";q=3;w=60$/)
    expect(first.headers.ratelimit).toMatch(/, "quota";r=2;t=20$/)
    const cookie = `pricetape=${admin.sessionToken}`
    const list = () => server.inject({ url: `/v1/keys?workspace=${workspaceId}`, headers: { cookie } })
    expect((await list()).statusCode).toBe(200)
    expect((await read()).headers.ratelimit).toMatch(/, "quota";r=0;t=(60|59)$/)
    for (const refused of [await read(), await list()]) {
      expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited'])
      expect(refused.json().error.message).toMatch(/may send 3 requests a minute: wait \d+ s\. Ask an operator/)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(10)
    }
    await db.sql`update rate_bucket set full_at = full_at - interval '20 s' where key like 'quota:%'`
    expect((await read()).statusCode).toBe(200)
    // The log has a limit of its own.
    expect((await read()).statusCode).toBe(429)
    const proof = await server.inject({
      ...{ url: `/v1/log/proof?contentHash=${'0'.repeat(64)}`, headers: { authorization: `Bearer ${key}` } },
    })
    expect([proof.statusCode, proof.headers['ratelimit-policy']]).toEqual([404, '"log";q=200;w=2'])
    await server.close()
  })

  it('has its own rate within ten seconds after operators set it, also where it sends all the time', async () => {
    const { key } = await createApiKey(db.sql, { workspaceId, name: 'k' })
    const server = await testServer(db.sql)
    onTestFinished(() => server.close())
    const goOn = steppedClock()
    const hasRate = async (seconds: number) => {
      await goOn(seconds)
      const { headers } = await server.inject({ url: '/v1/providers', headers: { authorization: `Bearer ${key}` } })
      return String(headers['ratelimit-policy']).includes('"quota"')
    }
    expect(await hasRate(0)).toBe(false)
    await allow({ requestsPerMinute: 60 })
    expect([await hasRate(4), await hasRate(4), await hasRate(3)]).toEqual([false, false, true])
  })

  it('is shown to operators with what it uses, and changed by them and by a command', async () => {
    const session = admin.sessionToken
    const put = (body: object) => app.send(`PUT /v1/operator/workspaces/${workspaceId}/quota`, { session, body })
    expect(await put({ ...NONE, webhooks: 21 })).toMatchObject({ status: 400, field: 'webhooks' })
    expect((await put({ ...NONE, webhooks: 5 })).status).toBe(204)
    const workspaces = async () => (await app.send('GET /v1/operator/workspaces', { session })).json.workspaces
    const shown = { workspaceId, name: 'First workspace', used: { webhooks: 0, apiKeys: 0, members: 1 } }
    expect(await workspaces()).toEqual([{ ...shown, quota: { ...NONE, webhooks: 5 } }])
    const run = (...args: string[]) => command({ DATABASE_URL: db.url }, 'workspace', 'quota', workspaceId, ...args)
    expect(await run('--webhooks', 'none', '--requests', '120')).toEqual({
      code: 0,
      said: 'webhooks: no quota\napiKeys: no quota\nmembers: no quota\nrequestsPerMinute: 120\n',
    })
    expect(await workspaces()).toEqual([{ ...shown, quota: { ...NONE, requestsPerMinute: 120 } }])
    expect(await run('--keys', '21')).toEqual({ code: 1, said: 'apiKeys: must be at most 20\n' })
    const entries = await db.sql`select detail from audit_entry where action = 'quota_changed' order by entry_id`
    expect(entries.map(({ detail }) => detail)).toEqual([
      { ...NONE, webhooks: 5 },
      { ...NONE, requestsPerMinute: 120 },
    ])
  })
})
