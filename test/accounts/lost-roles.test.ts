import { expect, it } from 'vitest'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { withdrawInvitation } from '../../src/accounts/invitations/withdraw-invitation.ts'
import { changeKeyNetworks } from '../../src/accounts/keys/change-key-networks.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../src/accounts/keys/delete-api-key.ts'
import { changeRole, removeMember } from '../../src/accounts/members/change-role.ts'
import { deleteWorkspace } from '../../src/accounts/workspaces/delete-workspace.ts'
import { renameWorkspace } from '../../src/accounts/workspaces/rename-workspace.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { addAccount, addMember, silentMail } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { addPerson, type Person } from './people.ts'

type Act = (sql: Sql, owner: Person, by: string, memberId: string) => Promise<unknown>

/** What a route lets through before a role is taken away, and the role that it needs. */
const ACTIONS: [string, 'admin' | 'member', Act][] = [
  ['rename a workspace', 'admin', (sql, owner, by) => renameWorkspace(sql, { ...idsOf(owner), by, name: 'Another' })],
  ['delete a workspace', 'admin', (sql, owner, by) => deleteWorkspace(sql, { ...idsOf(owner), by })],
  [
    'change a role',
    'admin',
    (sql, owner, by, accountId) => changeRole(sql, as(owner, by), { accountId, role: 'admin' }),
  ],
  ['remove a member', 'admin', (sql, owner, by, accountId) => removeMember(sql, as(owner, by), { accountId })],
  [
    'invite',
    'admin',
    (sql, owner, by) => sendInvitation(sql, silentMail(), as(owner, by), { email: 'new@example.com', role: 'member' }),
  ],
  [
    'withdraw an invitation',
    'admin',
    (sql, owner, by) => withdrawInvitation(sql, as(owner, by), owner.invitations[0]!),
  ],
  ['create a key', 'member', (sql, owner, by) => createApiKey(sql, { ...idsOf(owner), name: 'k', createdBy: by })],
  ['delete a key', 'member', (sql, owner, by) => deleteApiKey(sql, { ...idsOf(owner), by })],
  [
    'limit the networks of a key',
    'member',
    (sql, owner, by) => changeKeyNetworks(sql, { ...idsOf(owner), by }, ['192.0.2.0/24']),
  ],
]

const db = testDatabase({ each: true })

it.each(ACTIONS)('a role that is lost before the transaction does not %s', async (_, needed, act) => {
  const [owner, stranger] = [await addPerson(db.sql, 'owner'), await addPerson(db.sql, 'stranger')]
  const { accountId: memberId } = await addAccount(db.sql, 'member@example.com')
  await addMember(db.sql, owner.workspaceId, memberId, 'member')
  const actBy = (accountId: string) => act(db.sql, owner, accountId, memberId)
  const before = await stored(owner)

  await expect(actBy(stranger.accountId)).rejects.toMatchObject({ code: 'not_found' })
  if (needed === 'admin') await expect(actBy(owner.guest.accountId)).rejects.toMatchObject({ code: 'forbidden' })
  expect(await stored(owner)).toEqual(before)

  await actBy(needed === 'admin' ? owner.accountId : owner.guest.accountId)
  expect(await stored(owner)).not.toEqual(before)
})

const idsOf = ({ workspaceId, keys }: Person) => ({ workspaceId, keyId: keys[0]!.keyId })
const as = ({ workspaceId }: Person, accountId: string) => ({ workspaceId, accountId })

/** All that belongs to the workspace of a person. */
const stored = ({ workspaceId: id }: Person) => db.sql`
  select (select name from workspace where workspace_id = ${id}) as name,
         array(select (key_id, networks)::text from api_key where workspace_id = ${id} order by key_id) as keys,
         array(select (account_id, role)::text from workspace_member where workspace_id = ${id} order by account_id) as members,
         array(select (email, withdrawn_at)::text from invitation where workspace_id = ${id} order by email) as invitations`
