import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { applyGroups, lockForGroups } from '../../../src/accounts/identities/apply-groups.ts'
import { sendInvitation } from '../../../src/accounts/invitations/send-invitation.ts'
import { foundWorkspace } from '../../../src/accounts/members/found-workspace.ts'
import { joinWorkspace } from '../../../src/accounts/members/join-workspace.ts'
import { changeAccountState } from '../../../src/accounts/users/change-account-state.ts'
import { changeQuota } from '../../../src/accounts/workspaces/change-quota.ts'
import { createWorkspace } from '../../../src/accounts/workspaces/create-workspace.ts'
import type { GroupRole, OidcSettings } from '../../../src/lib/oidc-settings.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { addMember, addOperator, silentMail } from '../../support/accounts.ts'
import { testDatabase } from '../../support/database.ts'
import { footprint } from '../../support/footprint.ts'
import { expectGolden } from '../../support/suite/goldens.ts'
import { addPerson, type Person } from '../people.ts'

type Groups = {
  groups: string[]
  roles?: GroupRole[]
  operatorGroups?: string[]
  given?: (sql: Sql) => Promise<unknown>
}

describe('what the groups of a person change, in a database where another has everything too', () => {
  const db = testDatabase()
  let [olga, ada, bob, open, twice] = [] as unknown as [{ accountId: string }, Person, Person, string, string]
  beforeAll(async () => {
    olga = await addOperator(db.sql)
    ada = await addPerson(db.sql, 'ada')
    bob = await addPerson(db.sql, 'bob')
    const { workspaceId } = await foundWorkspace(db.sql, ada, { name: 'Shared' })
    open = (await foundWorkspace(db.sql, bob, { name: 'Open' })).workspaceId
    await addMember(db.sql, workspaceId, bob.accountId, 'admin')
    for (const { accountId, name } of [ada, bob])
      await sendInvitation(
        db.sql,
        silentMail(),
        { accountId, workspaceId },
        { email: `${name}-3@example.com`, role: 'member' },
      )
    twice = (await createWorkspace(db.sql, { name: 'Twice' })).workspaceId
    await addMember(db.sql, twice, bob.accountId, 'admin')
    await createWorkspace(db.sql, { name: 'Twice' })
    for (const name of [open, 'No admin']) await createWorkspace(db.sql, { name })
  })

  const mapped = (workspace: string, role: GroupRole['role'] = 'member', group = 'g'): GroupRole => ({
    group,
    workspace,
    role,
  })

  it('is their roles in the workspaces of the mapping, and their operator rights', async () => {
    const both = [mapped('Shared', 'member', 'people'), mapped('Shared', 'admin', 'admins')]
    const isMember = (sql: Sql) => joinWorkspace(sql, { email: ada.email, workspaceId: open, role: 'member' })
    const makeOperator = (sql: Sql) => changeAccountState(sql, ada.accountId, { operator: true })
    const operatorGroups = ['operators']
    const all: Record<string, Groups> = {
      joining: { groups: ['g'], roles: [mapped('Open')] },
      'joining as an admin': { groups: ['admins'], roles: [mapped('Open', 'admin', 'admins')] },
      'joining a full workspace': {
        ...{ groups: ['g'], roles: [mapped('Open')] },
        given: (sql) => changeQuota(sql, open, { webhooks: 1, apiKeys: 1, members: 1, requestsPerMinute: 1 }),
      },
      'an admin who becomes a member': { groups: ['people'], roles: both },
      'a member who becomes an admin': { groups: ['g'], roles: [mapped('Open', 'admin')], given: isMember },
      'an admin who stays one': { groups: ['people', 'admins'], roles: both },
      'an admin who leaves': { groups: ['others'], roles: both },
      'a member who leaves': { groups: [], roles: [mapped('Open')], given: isMember },
      'the last admin': { groups: [], roles: [mapped('ada and others')] },
      'no role in a workspace of others': { groups: [], roles: [mapped('Open')] },
      'a member of a workspace without an admin': { groups: ['g'], roles: [mapped('No admin')] },
      'a name that two workspaces have': { groups: ['g'], roles: [mapped('Twice')] },
      'a new operator': { groups: ['operators'], operatorGroups },
      'an operator who stays one': { groups: ['operators'], operatorGroups, given: makeOperator },
      'an operator who was one': { groups: ['others'], operatorGroups, given: makeOperator },
      'an operator where groups say nothing of that': { groups: [], given: makeOperator },
      'the last operator': {
        ...{ groups: [], operatorGroups },
        given: async (sql) => {
          await makeOperator(sql)
          await sql`update account set operator = false where account_id = ${olga.accountId}`
        },
      },
    }
    const found: Record<string, string[]> = {}
    for (const [name, { groups, roles = [], operatorGroups: operators, given }] of Object.entries(all)) {
      const settings = { roles, operatorGroups: operators } as OidcSettings
      found[name] = await footprint(
        db.sql,
        (sql) => sql.begin((tx) => applyGroups(tx, settings, { accountId: ada.accountId, groups })),
        given,
      )
    }
    await expectGolden('footprints/groups', found)
  })

  it('leaves an operator where the last two lose their rights at one moment', async () => {
    const settings = { roles: [], operatorGroups: ['operators'] } as unknown as OidcSettings
    await changeAccountState(db.sql, ada.accountId, { operator: true })
    const lose = (accountId: string) =>
      db.sql.begin(async (tx) => {
        await lockForGroups(tx, settings)
        await applyGroups(tx, settings, { accountId, groups: [] })
        // As long as the other one needs to read how many there are.
        await sleep(200)
      })
    await Promise.all([olga, ada].map(({ accountId }) => lose(accountId)))
    const [left] = await db.sql<{ operators: number }[]>`
      select count(*)::int as operators from account where operator`
    expect(left!.operators).toBe(1)
    await changeAccountState(db.sql, olga.accountId, { operator: true })
    await changeAccountState(db.sql, ada.accountId, { operator: false })
  })

  it('is in the oldest workspace of a name, and in the one with an id: a newer one of that name changes nothing', async () => {
    const { accountId } = bob.guest
    const rolesIn = async (roles: GroupRole[], groups: string[]) => {
      const settings = { roles, operatorGroups: undefined } as OidcSettings
      await db.sql.begin((tx) => applyGroups(tx, settings, { accountId, groups }))
      const rows = await db.sql<{ id: string }[]>`
        select workspace_id as id from workspace_member where account_id = ${accountId} and workspace_id in (${twice}, ${open})`
      return rows.map(({ id }) => id).sort()
    }
    const roles = [mapped('Twice'), mapped(open)]
    expect(await rolesIn(roles, ['g'])).toEqual([twice, open].sort())
    expect(await rolesIn(roles, [])).toEqual([])
  })

  it('says which workspaces of the mapping there are none of', async () => {
    const names = ['Nowhere', 'Twice', 'Shared', 'Nowhere']
    const settings = { roles: names.map((name) => mapped(name)), operatorGroups: undefined } as OidcSettings
    for (const groups of [['g'], []])
      await db.sql.begin(async (tx) => {
        expect(await applyGroups(tx, settings, { accountId: ada.guest.accountId, groups })).toEqual(['Nowhere'])
      })
  })

  it('is its own action of the audit log, with the role', async () => {
    const made: object[] = []
    for (const [groups, role] of [
      [['g'], 'member'],
      [['g'], 'admin'],
      [[], 'member'],
    ] as const) {
      const settings = { roles: [mapped('Open', role)], operatorGroups: undefined } as OidcSettings
      await db.sql.begin((tx) => applyGroups(tx, settings, { accountId: bob.guest.accountId, groups: [...groups] }))
      const [entry] = await db.sql`
        select action, detail, account_id = ${bob.guest.accountId} as own, workspace_id = ${open} as here, subject
        from audit_entry order by entry_id desc limit 1`
      made.push(entry!)
    }
    const entry = { own: true, here: true, subject: bob.guest.accountId }
    expect(made).toEqual([
      { ...entry, action: 'role_changed', detail: { by: 'groups', role: 'member' } },
      { ...entry, action: 'role_changed', detail: { by: 'groups', role: 'admin' } },
      { ...entry, action: 'member_removed', detail: { by: 'groups' } },
    ])
  })
})
