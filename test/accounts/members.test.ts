import { describe, expect, it } from 'vitest'
import { acceptInvitation, readInvitation } from '../../src/accounts/invitations/accept-invitation.ts'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { listInvitations, withdrawInvitation } from '../../src/accounts/invitations/withdraw-invitation.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { changeRole, removeMember } from '../../src/accounts/members/change-role.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { joinWorkspace } from '../../src/accounts/members/join-workspace.ts'
import { listMembers, listMemberships } from '../../src/accounts/members/list-members.ts'
import { tryLockCreation, workspacesWithoutAdmin } from '../../src/accounts/members/member-store.ts'
import { changeAccountState } from '../../src/accounts/users/change-account-state.ts'
import { createAccount } from '../../src/accounts/users/create-account.ts'
import { deleteAccount } from '../../src/accounts/users/delete-account.ts'
import { disableAccount } from '../../src/accounts/users/disable-account.ts'
import { deleteWorkspace } from '../../src/accounts/workspaces/delete-workspace.ts'
import type { Tx } from '../../src/lib/sql.ts'
import {
  addAccount,
  addMember,
  addOperator,
  device,
  fiftyAtOnce,
  PASSWORD,
  silentMail,
  tokenOf,
} from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { someoneWaits } from '../support/locks.ts'

describe('workspaces of an account', () => {
  const db = testDatabase({ each: true })

  it('are created until it belongs to 3, also by 50 requests at once', async () => {
    const ada = await addAccount(db.sql, 'ada@example.com')
    const create = () => foundWorkspace(db.sql, ada, { name: 'W' })
    const { ok = 0, ...refused } = await fiftyAtOnce(create)
    expect(ok).toBeLessThanOrEqual(3)
    expect(Object.keys(refused).every((code) => ['organization_busy', 'organization_limit'].includes(code))).toBe(true)
    for (let n = ok; n < 3; n++) await create()
    await expect(create()).rejects.toMatchObject({ code: 'organization_limit', status: 409 })
    expect(await listMemberships(db.sql, ada.accountId)).toMatchObject(Array(3).fill({ name: 'W', role: 'admin' }))
  })

  it('are refused as busy while another is being created for it, and not while one is for someone else', async () => {
    const ada = await addAccount(db.sql, 'ada@example.com')
    const bob = await addAccount(db.sql, 'bob@example.com')
    await db.sql.begin(async (tx) => {
      expect(await tryLockCreation(tx, ada.accountId)).toBe(true)
      const busy = foundWorkspace(db.sql, ada, { name: 'W' })
      await expect(busy).rejects.toMatchObject({ code: 'organization_busy', status: 409 })
      await foundWorkspace(db.sql, bob, { name: 'W' })
    })
    await foundWorkspace(db.sql, ada, { name: 'W' })
  })

  it('include those it was invited to', async () => {
    const { accountId, workspaceId } = await addOperator(db.sql)
    const ada = await addAccount(db.sql, 'ada@example.com')
    await addMember(db.sql, workspaceId, ada.accountId, 'member')
    for (let n = 1; n <= 2; n++) await foundWorkspace(db.sql, ada, { name: 'W' })
    const third = foundWorkspace(db.sql, ada, { name: 'W' })
    await expect(third).rejects.toMatchObject({ code: 'organization_limit' })
    await removeMember(db.sql, { accountId, workspaceId }, ada)
    await foundWorkspace(db.sql, ada, { name: 'W' })
  })
})

describe('members', () => {
  const db = testDatabase({ each: true })
  const two = async () => {
    const olga = await addOperator(db.sql)
    const ada = await addAccount(db.sql, 'ada@example.com')
    const { workspaceId } = olga
    await addMember(db.sql, workspaceId, ada.accountId, 'admin')
    const as = ({ accountId }: { accountId: string }) => ({ accountId, workspaceId })
    return { olga, ada, workspaceId, as }
  }
  const addAnotherOperator = (accountId: string) => changeAccountState(db.sql, accountId, { operator: true })
  const admins = async (workspaceId: string) =>
    (await listMembers(db.sql, workspaceId)).filter(({ role }) => role === 'admin').length

  it('two admins who demote each other at one moment leave one admin', async () => {
    const { olga, ada, workspaceId, as } = await two()
    const demote = (by: typeof ada, whom: typeof ada) =>
      changeRole(db.sql, as(by), { accountId: whom.accountId, role: 'member' })
    const results = await Promise.allSettled([demote(olga, ada), demote(ada, olga)])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'forbidden' } })
    expect(await admins(workspaceId)).toBe(1)
  })

  it('two admins who leave at one moment leave one admin', async () => {
    const { olga, ada, workspaceId, as } = await two()
    const results = await Promise.allSettled([olga, ada].map((who) => removeMember(db.sql, as(who), who)))
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'last_admin' } })
    expect(await admins(workspaceId)).toBe(1)
  })

  it('the last admin who can act is not demoted, removed or let go', async () => {
    const { olga, ada, workspaceId, as } = await two()
    await disableAccount(db.sql, 'ada@example.com')
    const demoted = changeRole(db.sql, as(olga), { accountId: olga.accountId, role: 'member' })
    await expect(demoted).rejects.toMatchObject({ code: 'last_admin', status: 409 })
    await expect(removeMember(db.sql, as(olga), olga)).rejects.toMatchObject({ code: 'last_admin' })
    await removeMember(db.sql, as(olga), ada)
    expect(await admins(workspaceId)).toBe(1)
  })

  it('an operator who disables the only admin names a successor for the other members', async () => {
    const { olga, ada, workspaceId, as } = await two()
    const mia = await addAccount(db.sql, 'mia@example.com')
    await addMember(db.sql, workspaceId, mia.accountId, 'member')
    await removeMember(db.sql, as(olga), ada)
    const disable = (successor?: string) =>
      changeAccountState(db.sql, olga.accountId, { operator: false, disabled: true, successor })
    await addAnotherOperator(ada.accountId)
    await expect(disable()).rejects.toMatchObject({ code: 'last_admin', message: expect.stringContaining('successor') })
    await expect(disableAccount(db.sql, olga.email)).rejects.toMatchObject({ code: 'last_admin', status: 409 })
    await expect(disable(olga.accountId)).rejects.toMatchObject({ code: 'invalid_body', field: 'successor' })
    expect(await workspacesWithoutAdmin(db.sql)).toEqual([])
    await disable(ada.accountId)
    expect(await listMembers(db.sql, workspaceId)).toMatchObject([
      { email: 'olga@example.com', role: 'admin' },
      { email: 'mia@example.com', role: 'member' },
      { email: 'ada@example.com', role: 'admin' },
    ])
  })

  it('a workspace in which no one else can act is closed with its admin, and no member comes back before an admin', async () => {
    const { olga, ada, workspaceId, as } = await two()
    await changeRole(db.sql, as(olga), { accountId: ada.accountId, role: 'member' })
    await disableAccount(db.sql, ada.email)
    await disableAccount(db.sql, olga.email)
    await expect(disableAccount(db.sql, ada.email, false)).rejects.toMatchObject({ code: 'last_admin' })
    await disableAccount(db.sql, ada.email, false, ada.email)
    expect(await workspacesWithoutAdmin(db.sql, [workspaceId])).toEqual([])
    await disableAccount(db.sql, olga.email, false)
    const demoted = joinWorkspace(db.sql, { email: ada.email, workspaceId, role: 'member' })
    await demoted
    const last = joinWorkspace(db.sql, { email: olga.email, workspaceId, role: 'member' })
    await expect(last).rejects.toMatchObject({ code: 'last_admin' })
  })

  it('the database refuses what no use case checked', async () => {
    const { olga, ada, workspaceId } = await two()
    const set = db.sql`update workspace_member set role = 'member' where workspace_id = ${workspaceId}`
    await expect(set).rejects.toThrow('has no admin who can act')
    await db.sql`delete from workspace_member where account_id = ${ada.accountId}`
    await addMember(db.sql, workspaceId, ada.accountId, 'member')
    // An admin of another workspace is none of this one.
    await foundWorkspace(db.sql, ada, { name: 'Another' })
    const removed = db.sql`delete from workspace_member where workspace_id = ${workspaceId} and role = 'admin'`
    await expect(removed).rejects.toThrow('has no admin who can act')
    const disabled = db.sql`update account set disabled_at = now() where account_id = ${olga.accountId}`
    await expect(disabled).rejects.toThrow('has no admin who can act')
  })

  it('the database has two transactions that take an admin each wait for one another: the second one is refused', async () => {
    const { olga, ada, workspaceId } = await two()
    const demoted = async (tx: Tx, { accountId }: { accountId: string }) => {
      await tx`update workspace_member set role = 'member' where workspace_id = ${workspaceId} and account_id = ${accountId}`
      await tx`set constraints all immediate`
    }
    let second: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      await demoted(tx, olga)
      second = db.sql.begin((other) => demoted(other, ada)).catch((error: Error) => error.message)
      await someoneWaits(db.sql)
    })
    expect(await second).toContain('has no admin who can act')
  })

  it('only admins change roles and remove others; everyone may leave', async () => {
    const { olga, ada, workspaceId, as } = await two()
    await changeRole(db.sql, as(olga), { accountId: ada.accountId, role: 'member' })
    await expect(removeMember(db.sql, as(ada), olga)).rejects.toMatchObject({ code: 'forbidden' })
    const promoted = changeRole(db.sql, as(ada), { accountId: ada.accountId, role: 'admin' })
    await expect(promoted).rejects.toMatchObject({ code: 'forbidden' })
    await removeMember(db.sql, as(ada), ada)
    const gone = changeRole(db.sql, as(olga), { accountId: ada.accountId, role: 'admin' })
    await expect(gone).rejects.toMatchObject({ code: 'not_found' })
    await expect(removeMember(db.sql, as(ada), ada)).rejects.toMatchObject({ code: 'not_found' })
    expect(await listMembers(db.sql, workspaceId)).toHaveLength(1)
  })
})

describe('invitations', () => {
  const db = testDatabase({ each: true })
  const setUp = async () => {
    const mail = silentMail()
    const acting = await addOperator(db.sql)
    const invite = (email: string, role: 'admin' | 'member' = 'member') =>
      sendInvitation(db.sql, mail, acting, { email, role })
    return { mail, acting, invite }
  }

  it('20 of 50 sent at once go out, and the next when the oldest of them is 24 hours old', async () => {
    const { acting, invite } = await setUp()
    expect(await fiftyAtOnce((n) => invite(`u${n}@example.com`))).toEqual({ ok: 20, invitation_limit: 30 })
    const [oldest] = await db.sql`select invitation_id as id from invitation order by created_at limit 1`
    await db.sql`update invitation set created_at = created_at - interval '23 hours' where invitation_id = ${oldest!.id}`
    const refused = await invite('x@example.com').catch((error) => error)
    expect(refused).toMatchObject({ code: 'invitation_limit', status: 429 })
    expect(refused.retryAfter).toBeGreaterThan(3_540)
    expect(refused.retryAfter).toBeLessThanOrEqual(3_600)
    await db.sql`update invitation set created_at = created_at - interval '1 hour' where invitation_id = ${oldest!.id}`
    await invite('x@example.com')
    await expect(invite('y@example.com')).rejects.toMatchObject({ code: 'invitation_limit' })
    expect((await listInvitations(db.sql, acting.workspaceId)).length).toBe(21)
  })

  it('a withdrawn one counts toward the 20, and its link is void', async () => {
    const { acting, invite } = await setUp()
    const sent = []
    for (let n = 1; n <= 20; n++) sent.push(await invite(`u${n}@example.com`))
    const stranger = await addAccount(db.sql, 'stranger@example.com')
    const { workspaceId } = await foundWorkspace(db.sql, stranger, { name: 'Other' })
    const elsewhere = withdrawInvitation(db.sql, { ...stranger, workspaceId }, sent[0]!)
    await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' })
    for (const invitation of sent) await withdrawInvitation(db.sql, acting, invitation)
    await expect(invite('x@example.com')).rejects.toMatchObject({ code: 'invitation_limit' })
    await expect(readInvitation(db.sql, tokenOf(sent[0]!.link!))).rejects.toMatchObject({ code: 'invalid_link' })
    await expect(withdrawInvitation(db.sql, acting, sent[0]!)).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each<[string, (as: { accountId: string; workspaceId: string }, olga: { accountId: string }) => Promise<unknown>]>([
    ['is removed', (ada, olga) => removeMember(db.sql, { ...ada, ...olga }, ada)],
    ['leaves', (ada) => removeMember(db.sql, ada, ada)],
    ['is a member now', (ada, olga) => changeRole(db.sql, { ...ada, ...olga }, { ...ada, role: 'member' })],
    ['is disabled by a command', () => disableAccount(db.sql, 'ada@example.com')],
    ['is disabled by an operator', (ada) => changeAccountState(db.sql, ada.accountId, { disabled: true })],
    ['deletes the account', (ada) => deleteAccount(db.sql, { ...ada, email: 'ada@example.com' }, PASSWORD)],
    [
      'joins as member by a command',
      ({ workspaceId }) => joinWorkspace(db.sql, { email: 'ada@example.com', workspaceId, role: 'member' }),
    ],
  ])('end when the inviter %s, also for the role admin and when the right comes back', async (_, end) => {
    const { mail, acting } = await setUp()
    const { accountId } = await addAccount(db.sql, 'ada@example.com')
    const { workspaceId } = acting
    await addMember(db.sql, workspaceId, accountId, 'admin')
    const ada = { accountId, workspaceId }
    const send = async (email: string) =>
      tokenOf((await sendInvitation(db.sql, mail, ada, { email, role: 'admin' })).link!)
    const [token, other] = [await send('eve@example.com'), await send('new@example.com')]
    const eve = await addAccount(db.sql, 'eve@example.com')
    await end(ada, { accountId: acting.accountId })
    await expect(acceptInvitation(db.sql, eve, token)).rejects.toMatchObject({ code: 'invalid_link' })
    const given = { token: other, name: 'New', password: PASSWORD }
    const created = createAccount(db.sql, given, device, { mailWorks: false })
    await expect(created).rejects.toMatchObject({ code: 'invalid_link' })
    expect(await listInvitations(db.sql, workspaceId)).toEqual([])
    await db.sql`update account set disabled_at = null`
    await db.sql`update workspace_member set role = 'admin'`
    await expect(acceptInvitation(db.sql, eve, token)).rejects.toMatchObject({ code: 'invalid_link' })
  })

  it('60 over workspaces that are created and deleted again: 20 go out', async () => {
    const { mail } = await setUp()
    const ada = await addAccount(db.sql, 'ada@example.com')
    const codes: Record<string, number> = {}
    for (let round = 0; round < 6; round++) {
      const { workspaceId } = await foundWorkspace(db.sql, ada, { name: 'W' })
      const acting = { ...ada, workspaceId }
      for (let n = 0; n < 10; n++) {
        const to = { email: `u${round}-${n}@example.com`, role: 'member' as const }
        const code = await sendInvitation(db.sql, mail, acting, to).then(
          () => 'ok',
          ({ code }) => code,
        )
        codes[code] = (codes[code] ?? 0) + 1
      }
      await deleteWorkspace(db.sql, { workspaceId, by: ada.accountId })
    }
    expect(codes).toEqual({ ok: 20, invitation_limit: 40 })
    await db.sql`update invitation set invited_by = null`
    const { workspaceId } = await foundWorkspace(db.sql, ada, { name: 'W' })
    const again = sendInvitation(db.sql, mail, { ...ada, workspaceId }, { email: 'x@example.com', role: 'member' })
    await expect(again).rejects.toMatchObject({ code: 'invitation_limit', status: 429 })
  })

  it('50 sent at once from each of three workspaces of one person: 40 go out, in any 24 hours', async () => {
    const { mail } = await setUp()
    const ada = await addAccount(db.sql, 'ada@example.com')
    const workspaces = await Promise.all(
      [1, 2, 3].map(
        () => db.sql`
      insert into workspace (name, created_at) values ('W', clock_timestamp()) returning workspace_id as id`,
      ),
    )
    const ids = workspaces.map(([row]) => row!.id as string)
    for (const id of ids) await addMember(db.sql, id, ada.accountId, 'admin')
    const invite = (n: number) =>
      sendInvitation(db.sql, mail, { ...ada, workspaceId: ids[n % 3]! }, { email: `u${n}@example.com`, role: 'member' })
    expect(await fiftyAtOnce(invite)).toEqual({ ok: 40, invitation_limit: 10 })
  })

  it('an address gets 5 in any 24 hours, whoever invites it and however it is written', async () => {
    const { mail, invite } = await setUp()
    for (const n of [1, 2, 3]) await invite(n === 2 ? 'Victim@Example.com' : 'victim@example.com')
    const ada = await addAccount(db.sql, 'ada@example.com')
    const { workspaceId } = await foundWorkspace(db.sql, ada, { name: 'W' })
    const again = () =>
      sendInvitation(db.sql, mail, { ...ada, workspaceId }, { email: 'victim@example.com', role: 'member' })
    expect(await fiftyAtOnce(again)).toEqual({ ok: 2, invitation_limit: 48 })
    const refused = await again().catch((error) => error)
    expect(refused).toMatchObject({ code: 'invitation_limit', status: 429 })
    expect(refused.retryAfter).toBeGreaterThan(86_000)
  })

  it('show their link to the inviter where there is no mail, and to no one else', async () => {
    const { mail, acting, invite } = await setUp()
    const { link, ...listed } = await invite('ada@example.com', 'admin')
    expect(await listInvitations(db.sql, acting.workspaceId)).toEqual([listed])
    expect(mail.shown).toEqual([])
    expect(await readInvitation(db.sql, tokenOf(link!))).toMatchObject({
      workspace: 'First workspace',
      invitedBy: 'Olga',
      email: 'ada@example.com',
      role: 'admin',
    })
  })

  it('make an account that has their address a member, once', async () => {
    const { acting, invite } = await setUp()
    const token = tokenOf((await invite('Ada@example.com', 'admin')).link!)
    const ada = await addAccount(db.sql, 'ada@example.com')
    const eve = await addAccount(db.sql, 'eve@example.com')
    await expect(acceptInvitation(db.sql, eve, token)).rejects.toMatchObject({ code: 'forbidden' })
    expect(await fiftyAtOnce(() => acceptInvitation(db.sql, ada, token))).toEqual({ ok: 1, invalid_link: 49 })
    expect(await listMembers(db.sql, acting.workspaceId)).toMatchObject([
      expect.any(Object),
      { email: 'ada@example.com', role: 'admin' },
    ])
    await expect(invite('ada@example.com')).rejects.toMatchObject({ code: 'already_member', status: 409 })
  })

  it('create the account of someone new, who belongs to the workspace then', async () => {
    const { acting, invite } = await setUp()
    const token = tokenOf((await invite('ada@example.com')).link!)
    const given = { token, name: 'Ada', password: PASSWORD, email: 'other@example.com' }
    const { account } = await createAccount(db.sql, given, device, { mailWorks: false })
    expect(account).toMatchObject({ email: 'ada@example.com', emailVerifiedAt: null, operator: false })
    expect(await listMemberships(db.sql, account.accountId)).toMatchObject([
      { workspaceId: acting.workspaceId, role: 'member' },
    ])
    const again = createAccount(db.sql, given, device, { mailWorks: false })
    await expect(again).rejects.toMatchObject({ code: 'invalid_link' })
  })

  it('a new one to the same address replaces the one before it; after 7 days it has expired', async () => {
    const { invite } = await setUp()
    const [first, second] = [await invite('ada@example.com'), await invite('ADA@example.com')]
    await expect(readInvitation(db.sql, tokenOf(first.link!))).rejects.toMatchObject({ code: 'invalid_link' })
    expect(Date.parse(second.expiresAt) - Date.parse(second.createdAt)).toBe(7 * 86_400_000)
    await db.sql`update invitation set expires_at = date_trunc('milliseconds', clock_timestamp())`
    await expect(readInvitation(db.sql, tokenOf(second.link!))).rejects.toMatchObject({ code: 'invalid_link' })
  })

  it('concern their own workspace, address and link, beside those of others', async () => {
    const { mail, acting, invite } = await setUp()
    const bob = await addAccount(db.sql, 'bob@example.com')
    const { workspaceId } = await foundWorkspace(db.sql, bob, { name: 'Other' })
    const other = { ...bob, workspaceId }
    const inviteElsewhere = (email: string) => sendInvitation(db.sql, mail, other, { email, role: 'admin' })
    const sent = [await invite('first@example.com'), await invite('ada@example.com')]
    const elsewhere = [await inviteElsewhere('ada@example.com'), await inviteElsewhere('eve@example.com')]
    const listed = async (id: string) =>
      (await listInvitations(db.sql, id)).map(({ email, invitedBy }) => [email, invitedBy])
    const theirs = [
      ['eve@example.com', 'bob'],
      ['ada@example.com', 'bob'],
    ]
    expect(await listed(acting.workspaceId)).toEqual([
      ['ada@example.com', 'Olga'],
      ['first@example.com', 'Olga'],
    ])
    expect(await listed(workspaceId)).toEqual(theirs)
    for (const { link, email } of [...sent, ...elsewhere])
      expect(await readInvitation(db.sql, tokenOf(link!))).toMatchObject({ email })
    expect(await readInvitation(db.sql, tokenOf(elsewhere[0]!.link!))).toMatchObject({
      workspace: 'Other',
      role: 'admin',
    })

    await invite('ADA@example.com')
    await withdrawInvitation(db.sql, acting, sent[0]!)
    expect(await listed(acting.workspaceId)).toEqual([['ADA@example.com', 'Olga']])
    expect(await listed(workspaceId)).toEqual(theirs)
    const ada = await addAccount(db.sql, 'ada@example.com')
    expect(await acceptInvitation(db.sql, ada, tokenOf(elsewhere[0]!.link!))).toEqual({ workspaceId })
    expect(await listMemberships(db.sql, ada.accountId)).toMatchObject([{ workspaceId, role: 'admin' }])
    expect(await listed(acting.workspaceId)).toEqual([['ADA@example.com', 'Olga']])
    expect(await listed(workspaceId)).toEqual([['eve@example.com', 'bob']])
    await changeAccountState(db.sql, bob.accountId, { disabled: true })
    expect(await listed(workspaceId)).toEqual([])
    expect(await listed(acting.workspaceId)).toEqual([['ADA@example.com', 'Olga']])
  })

  it('are refused to members, also when the role was taken away meanwhile', async () => {
    const { acting, mail, invite } = await setUp()
    const ada = await addAccount(db.sql, 'ada@example.com')
    const as = { accountId: ada.accountId, workspaceId: acting.workspaceId }
    const send = () => sendInvitation(db.sql, mail, as, { email: 'x@example.com', role: 'member' })
    await expect(send()).rejects.toMatchObject({ code: 'not_found' })
    await addMember(db.sql, acting.workspaceId, ada.accountId, 'member')
    await expect(send()).rejects.toMatchObject({ code: 'forbidden' })
    await invite('x@example.com')
  })
})

describe('API keys', () => {
  const db = testDatabase({ each: true })

  it('20 of 50 created at once exist', async () => {
    const { workspaceId } = await addOperator(db.sql)
    const create = () => createApiKey(db.sql, { workspaceId, name: 'k' })
    expect(await fiftyAtOnce(create)).toEqual({ ok: 20, api_key_limit: 30 })
  })
})
