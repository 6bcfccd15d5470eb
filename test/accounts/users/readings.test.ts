import { beforeAll, it } from 'vitest'
import { feedAddressOf, feedReader } from '../../../src/accounts/feeds/feed-address-store.ts'
import { identitiesOf } from '../../../src/accounts/identities/identity-store.ts'
import { openInvitations } from '../../../src/accounts/invitations/invitation-store.ts'
import { apiKeysOf, countApiKeys, keyIdsOf } from '../../../src/accounts/keys/api-key-store.ts'
import * as members from '../../../src/accounts/members/member-store.ts'
import { credentialIdsOf, passkeysOf } from '../../../src/accounts/passkeys/passkey-store.ts'
import { lockTotp, totpState } from '../../../src/accounts/second-factor/totp-store.ts'
import { findSession, hasIdentity, sessionsOf } from '../../../src/accounts/sessions/session-store.ts'
import { accountOf, accountOfEmail, passwordHashOf } from '../../../src/accounts/users/account-store.ts'
import { accountOverview } from '../../../src/accounts/users/overview-store.ts'
import { countMembers, quotaOf, setQuota, workspaceUses } from '../../../src/accounts/workspaces/quota-store.ts'
import { workspaceName } from '../../../src/accounts/workspaces/workspace-store.ts'
import type { Tx } from '../../../src/lib/sql.ts'
import { testDatabase } from '../../support/database.ts'
import { expectGolden } from '../../support/suite/goldens.ts'
import { addPerson, type Person } from '../people.ts'

/** What each function of a store reads of a person and their workspace. */
const OF_ACCOUNT: Record<string, (tx: Tx, person: Person) => Promise<unknown>> = {
  account: (tx, { accountId }) => accountOf(tx, accountId),
  'account of the address': (tx, { email }) => accountOfEmail(tx, email.toUpperCase()),
  password: (tx, { accountId }) => passwordHashOf(tx, accountId),
  'second factor': (tx, { accountId }) => totpState(tx, accountId),
  'second factor, locked': (tx, { accountId }) => lockTotp(tx, accountId),
  passkeys: (tx, { accountId }) => passkeysOf(tx, accountId),
  credentials: (tx, { accountId }) => credentialIdsOf(tx, accountId),
  identities: (tx, { accountId }) => identitiesOf(tx, accountId),
  sessions: (tx, { accountId }) => sessionsOf(tx, accountId),
  session: (tx, { sessionToken }) => findSession(tx as never, sessionToken),
  'has identity': (tx, { sessionIds }) => hasIdentity(tx, sessionIds[0]!),
  'feed address': (tx, { accountId }) => feedAddressOf(tx, accountId),
  'feed reader': (tx, { name }) => feedReader(tx as never, `feed of ${name}`),
  memberships: (tx, { accountId }) => members.membershipsOf(tx, accountId),
  'memberships, counted': (tx, { accountId }) => members.countMemberships(tx, accountId),
  workspace: (tx, { workspaceId }) => workspaceName(tx, workspaceId),
  quota: (tx, { workspaceId }) => quotaOf(tx, workspaceId),
  members: (tx, { workspaceId }) => members.membersOf(tx, workspaceId),
  'members, counted': (tx, { workspaceId }) => countMembers(tx, workspaceId),
  'current roles': (tx, { accountId }) =>
    members.currentRoles(
      tx,
      accountId,
      people.map((one) => one.workspaceId),
    ),
  'role of a guest': (tx, { workspaceId, guest }) => members.roleOf(tx, { workspaceId, accountId: guest.accountId }),
  'is member': (tx, { workspaceId, email }) => members.isMemberEmail(tx, workspaceId, email),
  keys: (tx, { workspaceId }) => apiKeysOf(tx, workspaceId),
  'ids of keys': async (tx, { workspaceId }) => (await keyIdsOf(tx, workspaceId)).sort(),
  'keys, counted': (tx, { workspaceId }) => countApiKeys(tx, workspaceId),
  invitations: (tx, { workspaceId }) => openInvitations(tx, workspaceId),
}

const db = testDatabase()
let people: Person[]
beforeAll(async () => {
  people = []
  for (const name of ['ada', 'bob', 'cyd']) people.push(await addPerson(db.sql, name))
  for (const [n, { workspaceId }] of people.entries())
    await db.sql.begin((tx: Tx) =>
      setQuota(tx, workspaceId, { webhooks: n, apiKeys: n + 1, members: n + 2, requestsPerMinute: n + 3 }),
    )
  const [ada, bob, cyd] = people as [Person, Person, Person]
  // One has less of everything than the others, and one is somewhere else too.
  await db.sql`delete from recovery_code where account_id = ${bob.accountId}`
  await db.sql`update account_totp set confirmed_at = null where account_id = ${cyd.accountId}`
  await db.sql`
    insert into workspace_member (workspace_id, account_id, role, created_at)
    values (${ada.workspaceId}, ${cyd.accountId}, 'admin', clock_timestamp())`
  await db.sql`update account set disabled_at = now() where account_id = ${bob.guest.accountId}`
  await db.sql`update workspace_member set role = 'admin' where account_id = ${bob.guest.accountId}`
  await db.sql`delete from passkey where passkey_id = ${bob.passkeyIds[0]!}`
})

it('what stores read of one of three who have everything is of that one', async () => {
  const read: Record<string, Record<string, unknown>> = {}
  for (const person of people) {
    const of: Record<string, unknown> = {}
    for (const [name, reading] of Object.entries(OF_ACCOUNT))
      of[name] = shown((await db.sql.begin((tx: Tx) => reading(tx, person))) ?? null)
    read[person.name] = of
  }
  await expectGolden('footprints/account-readings', read, await names())
})

it('what operators read of all of them is of each', async () => {
  const all = { accounts: await accountOverview(db.sql), workspaces: await workspaceUses(db.sql) }
  await expectGolden('footprints/account-overviews', shown(all), await names())
})

/** Instants are of now, and what is sealed, hashed or drawn differs each time. */
const shown = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, one) => {
      if (key === 'lastCharacters') return '<end>'
      if (one?.type === 'Buffer' || one instanceof Uint8Array) return '<bytes>'
      return typeof one === 'string'
        ? one.replace(/^\d{4}-\d\d-\d\dT.*Z$/, '<instant>').replace(/^\$argon2.*/, '<hash>')
        : one
    }),
  )

/** What stands for the ids of each person. */
async function names(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const { name, guest, keys, invitations, ...person } of people) {
    Object.assign(found, {
      [person.accountId]: name,
      [person.workspaceId]: `workspace of ${name}`,
      [guest.accountId]: `guest of ${name}`,
    })
    const lists = {
      ...{ session: person.sessionIds, passkey: person.passkeyIds, identity: person.identityIds },
      ...{ key: keys.map(({ keyId }) => keyId), invitation: invitations.map(({ invitationId }) => invitationId) },
    }
    for (const [kind, ids] of Object.entries(lists))
      for (const [n, id] of ids.entries()) found[id] = `${kind} ${n} of ${name}`
  }
  const sessions = await db.sql<{ id: string }[]>`select session_id as id from session order by created_at`
  for (const [n, { id }] of sessions.entries()) found[id] ??= `session ${n}`
  return found
}
