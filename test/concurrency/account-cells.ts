import { expect } from 'vitest'
import { acceptInvitation } from '../../src/accounts/invitations/accept-invitation.ts'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../src/accounts/keys/delete-api-key.ts'
import { changeRole, removeMember } from '../../src/accounts/members/change-role.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { listMembers } from '../../src/accounts/members/list-members.ts'
import { workspacesWithoutAdmin } from '../../src/accounts/members/member-store.ts'
import { changeAccountState } from '../../src/accounts/users/change-account-state.ts'
import { deleteAccount } from '../../src/accounts/users/delete-account.ts'
import { disableAccount } from '../../src/accounts/users/disable-account.ts'
import { deleteWorkspace } from '../../src/accounts/workspaces/delete-workspace.ts'
import { addAccount, addMember, PASSWORD, silentMail, tokenOf } from '../support/accounts.ts'
import { addWorkspace } from '../support/webhooks/subscriptions.ts'
import { type Cell, cell, type Setting } from './cell.ts'

const newKey = ({ sql, workspaceId }: Setting) => createApiKey(sql, { workspaceId, name: 'k' })
const keys = async ({ sql, workspaceId }: Setting) =>
  (await sql`select from api_key where workspace_id = ${workspaceId}`).count
const acting = ({ workspaceId, people }: Setting, n = 0) => ({ workspaceId, accountId: people[n]! })
const invite = (setting: Setting, email: string) =>
  sendInvitation(setting.sql, silentMail(), acting(setting), { email, role: 'member' })
const open = async ({ sql, workspaceId }: Setting) =>
  (await sql`select from invitation where workspace_id = ${workspaceId} and withdrawn_at is null`).count
const admins = async ({ sql, workspaceId }: Setting) =>
  (await listMembers(sql, workspaceId)).filter(({ role }) => role === 'admin').length
async function fiftyAdmins({ sql, workspaceId, people }: Setting) {
  for (const person of people.slice(1)) await addMember(sql, workspaceId, person, 'admin')
}

/** Keys, invitations, members and workspaces. */
export const ACCOUNT_CELLS: Cell[] = [
  cell('creating a key', 'of none', {
    prepare: async () => {},
    act: newKey,
    expected: { ok: 20, api_key_limit: 30 },
    invariant: async (setting) => expect(await keys(setting)).toBe(20),
  }),
  cell('creating a key', 'of 19', {
    prepare: async (setting) => {
      for (let n = 0; n < 19; n++) await newKey(setting)
    },
    act: newKey,
    expected: { ok: 1, api_key_limit: 49 },
    invariant: async (setting) => expect(await keys(setting)).toBe(20),
  }),
  cell('deleting a key', 'that there is', {
    prepare: newKey,
    act: ({ sql, workspaceId }, { keyId }) => deleteApiKey(sql, { workspaceId, keyId }),
    expected: { ok: 1, not_found: 49 },
    invariant: async (setting) => {
      expect(await keys(setting)).toBe(0)
      const { sql, workspaceId } = setting
      const audited = await sql`select from audit_entry where workspace_id = ${workspaceId} and action = 'key_deleted'`
      expect(audited.count).toBe(1)
    },
  }),
  cell('inviting', 'with 19 invitations sent', {
    prepare: async (setting) => {
      for (let n = 0; n < 19; n++) await invite(setting, `earlier-${n}@example.com`)
    },
    act: (setting, _, n) => invite(setting, `now-${n}@example.com`),
    expected: { ok: 1, invitation_limit: 49 },
    invariant: async (setting) => expect(await open(setting)).toBe(20),
  }),
  cell('inviting', 'the same address', {
    prepare: async () => {},
    act: (setting) => invite(setting, 'one@example.com'),
    expected: { ok: 5, invitation_limit: 45 },
    invariant: async (setting) => expect(await open(setting)).toBe(1),
  }),
  cell('accepting an invitation', 'that is open', {
    prepare: async (setting) => tokenOf((await invite(setting, '2@example.com')).link!),
    act: ({ sql, people }, token) => acceptInvitation(sql, { accountId: people[1]!, email: '2@example.com' }, token),
    expected: { ok: 1, invalid_link: 49 },
    invariant: async ({ sql, workspaceId }) => expect(await listMembers(sql, workspaceId)).toHaveLength(2),
  }),
  cell('leaving', 'where all 50 are admins', {
    prepare: fiftyAdmins,
    act: (setting, _, n) => removeMember(setting.sql, acting(setting, n), acting(setting, n)),
    expected: { ok: 49, last_admin: 1 },
    invariant: async (setting) => expect(await admins(setting)).toBe(1),
  }),
  cell('becoming a member', 'where all 50 are admins', {
    prepare: fiftyAdmins,
    act: (setting, _, n) => changeRole(setting.sql, acting(setting, n), { ...acting(setting, n), role: 'member' }),
    expected: { ok: 49, last_admin: 1 },
    invariant: async (setting) => expect(await admins(setting)).toBe(1),
  }),
  cell('taking admins away in six ways', 'where all 50 are admins', {
    prepare: async (setting) => {
      await fiftyAdmins(setting)
      const { sql, workspaceId } = setting
      const deleting = await Promise.all(Array.from({ length: 9 }, (_, n) => addAccount(sql, `d${n}@example.com`)))
      for (const { accountId } of deleting) await addMember(sql, workspaceId, accountId, 'admin')
      return deleting
    },
    act: (setting, deleting, n) => {
      const { sql } = setting
      const self = acting(setting, n)
      const neighbour = acting(setting, (n + 1) % 50)
      const ways = [
        () => removeMember(sql, self, self),
        () => changeRole(sql, self, { ...neighbour, role: 'member' }),
        () => changeAccountState(sql, self.accountId, { disabled: true }),
        () => disableAccount(sql, `${n + 1}@example.com`),
        () => removeMember(sql, self, neighbour),
        () => deleteAccount(sql, deleting[Math.floor(n / 6)]!, PASSWORD),
      ]
      // Who was faster decides which of them are refused: what counts is who is left.
      return ways[n % 6]!().catch((error) => {
        if (!['last_admin', 'forbidden', 'not_found'].includes(error.code)) throw error
      })
    },
    expected: { ok: 50 },
    invariant: async (setting) => {
      const { sql, workspaceId, people } = setting
      expect(await workspacesWithoutAdmin(sql, [workspaceId])).toEqual([])
      await sql`update account set disabled_at = null where account_id = any (${people}::uuid[])`
    },
  }),
  cell('removing a member', 'who is one', {
    prepare: ({ sql, workspaceId, people }) => addMember(sql, workspaceId, people[7]!, 'member'),
    act: (setting) => removeMember(setting.sql, acting(setting), acting(setting, 7)),
    expected: { ok: 1, not_found: 49 },
    invariant: async ({ sql, workspaceId }) => expect(await listMembers(sql, workspaceId)).toHaveLength(1),
  }),
  cell('creating a workspace', 'for 50 people who belong to 2 each', {
    prepare: async ({ sql, people }) => {
      await sql`delete from workspace_member where account_id = any (${people}::uuid[])`
      await sql`
        with w as (insert into workspace (name, created_at) select 'V', clock_timestamp() from generate_series(1, 2)
                   returning workspace_id)
        insert into workspace_member (workspace_id, account_id, role, created_at)
        select workspace_id, p, 'admin', clock_timestamp() from w, unnest(${people}::uuid[]) as p`
    },
    act: ({ sql, people }, _, n) => foundWorkspace(sql, { accountId: people[n]! }, { name: 'third' }),
    expected: { ok: 50 },
    invariant: async ({ sql, people }) => {
      const rows = await sql`
        select count(*)::int as n from workspace_member where account_id = any (${people}::uuid[]) group by account_id`
      expect(new Set(rows.map(({ n }) => n))).toEqual(new Set([3]))
      await sql`delete from workspace_member where account_id = any (${people}::uuid[])`
    },
  }),
  cell('deleting a workspace', 'without webhooks', {
    // The last one stays.
    prepare: ({ sql }) => addWorkspace(sql),
    act: ({ sql, workspaceId }) => deleteWorkspace(sql, { workspaceId }),
    expected: { ok: 1, not_found: 49 },
    invariant: async ({ sql, workspaceId }) =>
      expect((await sql`select from workspace where workspace_id = ${workspaceId}`).count).toBe(0),
  }),
]
