import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { lockIdentity } from '../../../src/accounts/identities/identity-store.ts'
import { unlinkIdentity } from '../../../src/accounts/identities/link-identity.ts'
import { lockRecipient } from '../../../src/accounts/invitations/invitation-store.ts'
import { lockWorkspacesOf, tryLockCreation } from '../../../src/accounts/members/member-store.ts'
import { removePasskey } from '../../../src/accounts/passkeys/change-passkeys.ts'
import { beginTotp } from '../../../src/accounts/second-factor/turn-on.ts'
import { signIn } from '../../../src/accounts/sessions/sign-in.ts'
import * as accounts from '../../../src/accounts/users/account-store.ts'
import { changePassword } from '../../../src/accounts/users/change-account.ts'
import { lockOperators } from '../../../src/accounts/users/overview-store.ts'
import { lockWorkspace, lockWorkspaces } from '../../../src/accounts/workspaces/workspace-store.ts'
import type { Sql, Tx } from '../../../src/lib/sql.ts'
import { addAccount, addMember, device, PASSWORD, silentMail } from '../../support/accounts.ts'
import { testDatabase } from '../../support/database.ts'
import { someoneWaits } from '../../support/locks.ts'
import { addWorkspace } from '../../support/webhooks/subscriptions.ts'
import { addPerson, type Person, secretKey } from '../people.ts'

type Lock = (tx: Tx) => Promise<unknown>

describe('locks of accounts and workspaces', () => {
  const db = testDatabase()
  /** Two of each, the first of which has the lower id. */
  const [ids, spaces]: [string[], string[]] = [[], []]
  beforeAll(async () => {
    for (const name of ['ada', 'bob']) ids.push((await addAccount(db.sql, `${name}@example.com`)).accountId)
    for (let n = 0; n < 2; n++) spaces.push(await addWorkspace(db.sql))
    for (const list of [ids, spaces]) list.sort()
    for (const id of spaces) await addMember(db.sql, id, ids[0]!, 'admin')
    // The lower one is stored behind the other.
    await db.sql`update account set name = name || '.' where account_id = ${ids[0]!}`
    await db.sql`update workspace set name = name || '.' where workspace_id = ${spaces[0]!}`
    await db.sql`update workspace_member set created_at = created_at - interval '1 h' where workspace_id = ${spaces[0]!}`
  })

  /** Whether another transaction waits while one holds a lock. Both end. */
  async function isHeldUp(first: Lock, second: Lock): Promise<boolean> {
    let isDone = false
    let waiting: Promise<unknown> | undefined
    const held = await db.sql.begin(async (tx) => {
      await first(tx)
      waiting = db.sql.begin(second).then(() => {
        isDone = true
      })
      while (!isDone) {
        const waits = await db.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        if (waits.length > 0) return true
        await sleep(5)
      }
      return false
    })
    await waiting
    return held
  }
  const byId = (lock: (tx: Tx, id: string) => Promise<unknown>, all: string[]): [Lock, Lock] => [
    (tx) => lock(tx, all[0]!),
    (tx) => lock(tx, all[1]!),
  ]
  const hashOf = (id: string) => accounts.passwordHashOf(db.sql, id) as Promise<string>

  it.each<[what: string, locks: () => [same: Lock, other: Lock]]>([
    ['an account', () => byId(accounts.lockAccount, ids)],
    ['accounts', () => byId((tx, id) => accounts.lockAccounts(tx, [id]), ids)],
    ['an account to delete', () => byId(accounts.lockAccountToDelete, ids)],
    [
      'an account whose password was checked',
      () => byId(async (tx, id) => accounts.lockPassword(tx, id, await hashOf(id)), ids),
    ],
    ['a workspace', () => byId(lockWorkspace, spaces)],
    ['an identity', () => byId((tx, subject) => lockIdentity(tx, { issuer: 'i', subject }), ['a', 'b'])],
    ['an identity of a provider', () => byId((tx, issuer) => lockIdentity(tx, { issuer, subject: 's' }), ['a', 'b'])],
    ['who is invited', () => byId(lockRecipient, ['a@example.com', 'b@example.com'])],
    [
      'the workspaces of an account',
      () => [(tx) => lockWorkspacesOf(tx, ids[0]!), (tx) => lockWorkspacesOf(tx, ids[1]!)],
    ],
  ])('of %s hold others up, and not those of another', async (_, locks) => {
    const [same, other] = locks()
    expect([await isHeldUp(same, same), await isHeldUp(same, other)]).toEqual([true, false])
  })

  it('of all workspaces hold up whoever locks one, and those of an account too', async () => {
    for (const id of spaces) {
      expect(await isHeldUp(lockWorkspaces, (tx) => lockWorkspace(tx, id))).toBe(true)
      expect(
        await isHeldUp(
          (tx) => lockWorkspacesOf(tx, ids[0]!),
          (tx) => lockWorkspace(tx, id),
        ),
      ).toBe(true)
    }
  })

  it('of decisions about all accounts are each one lock', async () => {
    const all: Lock[] = [lockOperators, accounts.lockFirstAccount]
    for (const lock of all) expect(await isHeldUp(lock, lock)).toBe(true)
    expect(await isHeldUp(lockOperators, accounts.lockFirstAccount)).toBe(false)
    await db.sql.begin(async (tx) => {
      expect(await tryLockCreation(tx, ids[0]!)).toBe(true)
      await db.sql.begin(async (other) => {
        expect([await tryLockCreation(other, ids[0]!), await tryLockCreation(other, ids[1]!)]).toEqual([false, true])
      })
    })
  })

  it.each<[what: string, table: 'account' | 'workspace', lock: () => Lock]>([
    ['accounts', 'account', () => (tx) => accounts.lockAccounts(tx, ids.toReversed())],
    ['all workspaces', 'workspace', () => lockWorkspaces],
    ['the workspaces of an account', 'workspace', () => (tx) => lockWorkspacesOf(tx, ids[0]!)],
  ])('of %s are taken in the order of their ids', async (_, table, lock) => {
    const [low, high] = (table === 'account' ? ids : spaces) as [string, string]
    let waiting: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      const one = (id: string, sql: Tx) =>
        sql`select from ${sql(table)} where ${sql(`${table}_id`)} = ${id} for update skip locked`
      expect(await one(high, tx)).toHaveLength(1)
      waiting = db.sql.begin((other) => lock()(other))
      for (let waits = 0; waits === 0; await sleep(5))
        waits = (
          await db.sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        ).length
      // The lower one is held by whoever waits for the other.
      expect(await one(low, tx)).toHaveLength(0)
    })
    await waiting
  })

  it('say which accounts and workspaces there are, and whether the password is still the one that was checked', async () => {
    const none = '01900000-0000-7000-8000-000000000000'
    await db.sql.begin(async (tx) => {
      expect((await accounts.lockAccounts(tx, [...ids, none])).map(({ accountId }) => accountId)).toEqual(ids)
      expect(await lockWorkspacesOf(tx, ids[0]!)).toEqual(spaces)
      expect([await lockWorkspace(tx, spaces[0]!), await lockWorkspace(tx, none)]).toEqual([true, false])
      expect(await accounts.lockAccount(tx, none)).toBeUndefined()
      const hash = await hashOf(ids[0]!)
      for (const [given, is] of [
        [hash, true],
        [`${hash}x`, false],
        [null, false],
      ] as const)
        expect([given, await accounts.lockPassword(tx, ids[0]!, given)]).toEqual([given, is])
      await tx`update account set password_hash = null where account_id = ${ids[1]!}`
      expect(await accounts.lockPassword(tx, ids[1]!, null)).toBe(true)
    })
  })
})

describe('a password that its owner changes while someone else has just given it', () => {
  const db = testDatabase()
  const mail = silentMail()
  const given = { currentPassword: PASSWORD }

  it.each<[what: string, act: (sql: Sql, person: Person) => Promise<unknown>, refused: object]>([
    [
      'signs no one in',
      (sql, { guest }) => signIn(sql, { email: guest.email, password: PASSWORD }, device),
      { code: 'invalid_credentials' },
    ],
    [
      'is not changed once more',
      (sql, { guest }) => changePassword(sql, mail, guest, { ...given, password: 'another long password' }, device),
      { code: 'invalid_body', field: 'currentPassword' },
    ],
    [
      'removes no passkey',
      (sql, { owner, passkeyIds }) => removePasskey(sql, mail, owner, { ...given, passkeyId: passkeyIds[0]! }),
      { code: 'invalid_body', field: 'currentPassword' },
    ],
    [
      'unlinks no identity',
      (sql, { owner, identityIds }) =>
        unlinkIdentity(sql, mail, owner, { ...given, identityId: identityIds[0]! }, { name: 'Acme', only: false }),
      { code: 'invalid_body', field: 'currentPassword' },
    ],
    [
      'begins no second factor',
      (sql, { guest }) => beginTotp(sql, { secretKey }, guest, PASSWORD),
      { code: 'invalid_body', field: 'currentPassword' },
    ],
  ])('%s', async (what, act, refused) => {
    const person = await addPerson(db.sql, what.replaceAll(' ', '-'))
    let asked: Promise<unknown> | undefined
    await db.sql.begin(async (tx) => {
      for (const { accountId } of [person, person.guest]) await accounts.setPassword(tx, accountId, 'another hash')
      asked = act(db.sql, person).catch((error) => error)
      await someoneWaits(db.sql)
    })
    expect(await asked).toMatchObject(refused)
    expect(await db.sql`select from passkey where account_id = ${person.accountId}`).toHaveLength(2)
  })
})
