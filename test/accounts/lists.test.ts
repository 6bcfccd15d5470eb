import { beforeAll, describe, expect, it } from 'vitest'
import { listIdentities } from '../../src/accounts/identities/link-identity.ts'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { listInvitations } from '../../src/accounts/invitations/withdraw-invitation.ts'
import { newestKeyEnd } from '../../src/accounts/keys/api-key-store.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { listApiKeys } from '../../src/accounts/keys/list-api-keys.ts'
import { listMembers, listMemberships } from '../../src/accounts/members/list-members.ts'
import { workspacesWithoutAdmin } from '../../src/accounts/members/member-store.ts'
import { listPasskeys } from '../../src/accounts/passkeys/change-passkeys.ts'
import { listSessions } from '../../src/accounts/sessions/end-sessions.ts'
import { findSignedIn } from '../../src/accounts/sessions/find-signed-in.ts'
import { listAccountsInDetail } from '../../src/accounts/users/change-account-state.ts'
import { listAccounts } from '../../src/accounts/users/disable-account.ts'
import { listWorkspaceUses } from '../../src/accounts/workspaces/change-quota.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { findWorkspace } from '../../src/accounts/workspaces/find-workspace.ts'
import { listWorkspaces } from '../../src/accounts/workspaces/list-workspaces.ts'
import { workspacesNamed } from '../../src/accounts/workspaces/workspace-store.ts'
import { addAccount, addMember, anotherSession, silentMail } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { scrambled } from '../support/scrambled.ts'

const FIVE = [1, 2, 3, 4, 5]

describe('lists of an account and a workspace, beside those of another', () => {
  const db = testDatabase()
  const people: Awaited<ReturnType<typeof addAccount>>[] = []
  const [workspaces, empty]: [string[], string[]] = [[], []]
  let ada: (typeof people)[number]
  let workspaceId: string
  beforeAll(async () => {
    const add = async (name: string) => (await createWorkspace(db.sql, { name })).workspaceId
    for (const n of FIVE) people.push(await addAccount(db.sql, `${n}@example.com`))
    for (const n of FIVE) workspaces.push(await add(`W${n}`))
    for (const n of FIVE) empty.push(await add(n < 5 ? 'Acme' : 'Other'))
    ada = people[0]!
    workspaceId = workspaces[0]!
    for (const id of workspaces) await addMember(db.sql, id, ada.accountId, 'admin')
    for (const { accountId } of people.slice(1)) await addMember(db.sql, workspaceId, accountId, 'member')
  })

  it('of workspaces: every one, oldest first', async () => {
    const oldest = await scrambled(db.sql, { table: 'workspace', id: 'workspace_id', ids: empty })
    const ids = (rows: { workspaceId: string }[]) =>
      rows.map((row) => row.workspaceId).filter((id) => !workspaces.includes(id))
    expect(ids(await listWorkspaces(db.sql))).toEqual(oldest)
    expect(ids(await listWorkspaceUses(db.sql))).toEqual(oldest)
    // Those in which someone can act are in none.
    expect((await workspacesWithoutAdmin(db.sql)).map((one) => one.workspaceId)).toEqual(oldest)
    expect(await workspacesNamed(db.sql, 'Acme')).toEqual(oldest.filter((id) => id !== empty[4]))
    expect(await workspacesNamed(db.sql, empty[4]!)).toEqual([empty[4]])
    expect(await findWorkspace(db.sql)).toBe(oldest[0])
    await db.sql`update workspace set created_at = now() where workspace_id = ${oldest[0]!}`
    // The next two are as old as each other.
    expect(await findWorkspace(db.sql)).toBe(oldest[1])
  })

  it('of what each workspace has and may have', async () => {
    await db.sql`delete from api_key`
    await createApiKey(db.sql, { workspaceId: workspaces[1]!, name: 'k' })
    const uses = await listWorkspaceUses(db.sql)
    expect(Object.fromEntries(uses.map(({ workspaceId: id, used }) => [id, used]))).toEqual({
      ...Object.fromEntries(empty.map((id) => [id, { webhooks: 0, apiKeys: 0, members: 0 }])),
      [workspaceId]: { webhooks: 0, apiKeys: 0, members: 5 },
      [workspaces[1]!]: { webhooks: 0, apiKeys: 1, members: 1 },
      ...Object.fromEntries(workspaces.slice(2).map((id) => [id, { webhooks: 0, apiKeys: 0, members: 1 }])),
    })
    const listed = await listWorkspaces(db.sql)
    expect(listed.filter(({ keys }) => keys > 0)).toMatchObject([{ workspaceId: workspaces[1], keys: 1 }])
  })

  it('of accounts: every one, oldest first', async () => {
    const ids = people.map(({ accountId }) => accountId)
    const oldest = await scrambled(db.sql, { table: 'account', id: 'account_id', ids })
    expect((await listAccounts(db.sql)).map(({ accountId }) => accountId)).toEqual(oldest)
    expect((await listAccountsInDetail(db.sql)).map(({ accountId }) => accountId)).toEqual(oldest)
  })

  it('of members and memberships, in the order in which they joined', async () => {
    const ids = people.map(({ accountId }) => accountId)
    const members = await scrambled(db.sql, { table: 'workspace_member', id: 'account_id', ids })
    expect((await listMembers(db.sql, workspaceId)).map(({ accountId }) => accountId)).toEqual(members)
    const joined = await scrambled(db.sql, { table: 'workspace_member', id: 'workspace_id', ids: workspaces })
    const listed = await listMemberships(db.sql, ada.accountId)
    expect(listed.map((one) => one.workspaceId)).toEqual(joined)
    expect(await listMemberships(db.sql, people[1]!.accountId)).toMatchObject([{ workspaceId, role: 'member' }])
    expect(await findSignedIn(db.sql, ada.sessionToken)).toMatchObject({ firstWorkspaceId: joined[0] })
    const [low, high] = [...workspaces].sort()
    for (const id of [high!, low!])
      await db.sql`
        update workspace_member set created_at = '2025-01-01' where workspace_id = ${id} and account_id = ${ada.accountId}`
    expect(await findSignedIn(db.sql, ada.sessionToken)).toMatchObject({ firstWorkspaceId: low })
    await scrambled(db.sql, { table: 'workspace_member', id: 'workspace_id', ids: workspaces })
    const overview = await listAccountsInDetail(db.sql)
    const names = Object.fromEntries(overview.map((one) => [one.accountId, one.workspaces]))
    // Two were joined at one time.
    expect([...names[ada.accountId]!].sort()).toEqual(['W1', 'W2', 'W3', 'W4', 'W5'])
    expect([names[ada.accountId]![0], names[ada.accountId]!.at(-1)]).toEqual([listed[0]!.name, listed.at(-1)!.name])
    expect(names[people[1]!.accountId]).toEqual(['W1'])
  })

  it('of sessions, newest first: those that have ended are in none', async () => {
    const [bob, cyd] = [people[1]!, people[2]!]
    for (const _ of FIVE.slice(1)) await anotherSession(db.sql, cyd.email)
    const rows = await db.sql<{ id: string }[]>`
      select session_id as id from session where account_id = ${cyd.accountId}`
    const oldest = await scrambled(db.sql, { table: 'session', id: 'session_id', ids: rows.map(({ id }) => id) })
    const listed = async () => (await listSessions(db.sql, cyd.accountId)).map(({ sessionId }) => sessionId)
    expect(await listed()).toEqual([...oldest].reverse())
    await db.sql`update session set expires_at = clock_timestamp() - interval '1 s' where session_id = ${oldest[0]!}`
    await db.sql`
      update session set last_seen_at = clock_timestamp() - interval '14 d 1 s' where session_id = ${oldest[1]!}`
    await db.sql`
      update session set last_seen_at = clock_timestamp() - interval '14 d -1 min' where session_id = ${oldest[2]!}`
    expect(await listed()).toEqual(oldest.slice(2).reverse())
    const seen = (await listAccountsInDetail(db.sql)).map(({ accountId, sessions, lastSeenAt }) => [
      accountId,
      sessions,
      lastSeenAt === null,
    ])
    expect(seen).toContainEqual([cyd.accountId, 3, false])
    expect(seen).toContainEqual([bob.accountId, 1, false])
    await db.sql`delete from session where account_id = ${bob.accountId}`
    expect((await listAccountsInDetail(db.sql)).find(({ accountId }) => accountId === bob.accountId)).toMatchObject({
      sessions: 0,
      lastSeenAt: null,
    })
  })

  it('of keys, oldest first', async () => {
    const made: string[] = []
    for (const n of FIVE) made.push((await createApiKey(db.sql, { workspaceId, name: `key ${n}` })).keyId)
    await createApiKey(db.sql, { workspaceId: workspaces[1]!, name: 'other' })
    await db.sql`delete from api_key where name not like 'key %' and name <> 'other'`
    const oldest = await scrambled(db.sql, { table: 'api_key', id: 'key_id', ids: made })
    const listed = await listApiKeys(db.sql, workspaceId)
    expect(listed.map(({ keyId }) => keyId)).toEqual(oldest)
    await db.sql`delete from api_key where workspace_id <> ${workspaceId}`
    expect(await newestKeyEnd(db.sql)).toBe(listed.at(-1)!.lastCharacters)
  })

  it('of invitations that can be accepted, newest first', async () => {
    const acting = { accountId: ada.accountId, workspaceId }
    const invited = async (by: typeof acting, name: string) =>
      (await sendInvitation(db.sql, silentMail(), by, { email: `${name}@invited.example`, role: 'member' }))
        .invitationId
    const made: string[] = []
    for (const n of FIVE) made.push(await invited(acting, `${n}`))
    await invited({ ...acting, workspaceId: workspaces[1]! }, 'elsewhere')
    const oldest = await scrambled(db.sql, { table: 'invitation', id: 'invitation_id', ids: made })
    const listed = async () => (await listInvitations(db.sql, workspaceId)).map(({ invitationId }) => invitationId)
    expect(await listed()).toEqual([...oldest].reverse())
    const end = (column: string, id: string) =>
      db.sql`update invitation set ${db.sql(column)} = clock_timestamp() - interval '1 s' where invitation_id = ${id}`
    for (const [n, column] of ['withdrawn_at', 'accepted_at', 'expires_at'].entries()) await end(column, oldest[n]!)
    expect(await listed()).toEqual(oldest.slice(3).reverse())
  })

  it('of passkeys and identities, oldest first', async () => {
    const { accountId } = ada
    const passkeys = await db.sql<{ id: string }[]>`
      insert into passkey (account_id, name, credential_id, public_key, counter, transports, synced, created_at)
      select ${accountId}, n, n, 'key', 0, '{}', false, now() from unnest(${FIVE.map(String)}::text[]) n
      returning passkey_id as id`
    const identities = await db.sql<{ id: string }[]>`
      insert into account_identity (account_id, issuer, subject, created_at)
      select ${accountId}, n, n, now() from unnest(${FIVE.map(String)}::text[]) n returning identity_id as id`
    await db.sql`
      insert into passkey (account_id, name, credential_id, public_key, counter, transports, synced, created_at)
      values (${people[1]!.accountId}, 'n', 'n', 'key', 0, '{}', false, now())`
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
    const oldest = await scrambled(db.sql, { table: 'passkey', id: 'passkey_id', ids: ids(passkeys) })
    expect((await listPasskeys(db.sql, accountId)).map(({ passkeyId }) => passkeyId)).toEqual(oldest)
    const linked = await scrambled(db.sql, { table: 'account_identity', id: 'identity_id', ids: ids(identities) })
    const found = await listIdentities(db.sql, accountId, false)
    expect(found.identities.map(({ identityId }) => identityId)).toEqual(linked)
    const overview = await listAccountsInDetail(db.sql)
    expect(overview.filter(({ linked }) => linked)).toMatchObject([{ accountId, passkeys: 5, totp: false }])
    expect(overview.filter(({ passkeys }) => passkeys > 0).map((one) => one.passkeys)).toEqual(
      overview.filter((one) => one.passkeys > 0).map((one) => (one.accountId === accountId ? 5 : 1)),
    )
  })
})
