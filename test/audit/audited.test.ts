import { beforeEach, describe, expect, it } from 'vitest'
import { audited } from '../../src/audit/audited.ts'
import { listActions } from '../../src/audit/list-actions.ts'
import { recordAction } from '../../src/audit/record-action.ts'
import { asRequester } from '../../src/audit/requester.ts'
import { AUDIT_ACTIONS } from '../../src/audit/schema.ts'
import { addAccount } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()

describe('what a use case does with an audited database', () => {
  beforeEach(() => db.sql`create table if not exists thing (name text)`)
  let tests = 0
  /** An audited database of a test's own, what was recorded of it and what was done. */
  const begun = (confirm?: () => Promise<unknown>) => {
    const subject = `thing ${++tests}`
    const change = (name: string) => `${subject} ${name}`
    return {
      ...audited(db.sql, 'alias_group_saved', { subject, detail: { name: 'n' } }, confirm),
      change,
      recorded: async () => (await db.sql`select from audit_entry where subject = ${subject}`).length,
      done: async () => {
        const rows = await db.sql<{ name: string }[]>`select name from thing where name like ${change('%')} order by 1`
        return rows.map(({ name }) => name.replace(`${subject} `, ''))
      },
    }
  }

  it('is recorded once, by its first transaction, however many there are', async () => {
    const { sql, finish, change, recorded, done } = begun()
    for (const name of ['a', 'b']) {
      const answer = await sql.begin(async (tx) => {
        await tx`insert into thing values (${change(name)})`
        return `did ${name}`
      })
      expect([answer, await recorded()]).toEqual([`did ${name}`, 1])
    }
    await finish()
    expect([await recorded(), await done()]).toEqual([1, ['a', 'b']])
  })

  it('is recorded at its end where it needed no transaction, and reads as any database does', async () => {
    const { sql, finish, recorded } = begun()
    expect([...(await sql`select 1 as one`)]).toEqual([{ one: 1 }])
    expect(await recorded()).toBe(0)
    await finish()
    expect(await recorded()).toBe(1)
  })

  it('is not recorded where its transaction failed, and is when it is tried again', async () => {
    const { sql, finish, change, recorded, done } = begun()
    const attempt = (fails: boolean) =>
      sql.begin(async (tx) => {
        await tx`insert into thing values (${change('a')})`
        if (fails) throw new Error('no')
      })
    await expect(attempt(true)).rejects.toThrow('no')
    expect([await recorded(), await done()]).toEqual([0, []])
    await attempt(false)
    await finish()
    expect([await recorded(), await done()]).toEqual([1, ['a']])
  })

  it('is not recorded by a transaction that the database refuses in the end, and is by the next one', async () => {
    await db.sql`create table if not exists once (name text unique deferrable initially deferred)`
    const { sql, recorded } = begun()
    const insert = (...names: string[]) =>
      sql.begin(async (tx) => {
        for (const name of names) await tx`insert into once values (${name})`
      })
    await expect(insert('same', 'same')).rejects.toThrow('duplicate')
    expect(await recorded()).toBe(0)
    await insert('other')
    expect(await recorded()).toBe(1)
  })

  it('is taken back, with what was recorded, where it is no longer allowed when it ends', async () => {
    let isAllowed = true
    const { sql, change, recorded, done } = begun(async () => {
      if (!isAllowed) throw new Error('not any more')
    })
    const write = (name: string) => sql.begin((tx) => tx`insert into thing values (${change(name)})`)
    await write('a')
    isAllowed = false
    await expect(write('b')).rejects.toThrow('not any more')
    expect([await recorded(), await done()]).toEqual([1, ['a']])
  })

  it('runs in the kind of transaction that it asks for', async () => {
    const { sql, recorded } = begun()
    const level = await sql.begin('isolation level serializable', async (tx) => {
      const [row] = await tx<{ level: string }[]>`select current_setting('transaction_isolation') as level`
      return row!.level
    })
    expect([level, await recorded()]).toEqual(['serializable', 1])
  })
})

it('a subject has a name where it is an account, and none where an action is about something else', async () => {
  const { accountId } = await addAccount(db.sql, 'ada@example.com')
  await asRequester({ workspaceId: '0195d0c4-0000-7000-8000-000000000000', address: '192.0.2.1' }, async () => {
    for (const action of AUDIT_ACTIONS) await recordAction(db.sql, action, { subject: accountId })
  })
  const { entries, next } = await listActions(db.sql, {})
  const rest = await listActions(db.sql, { before: next! })
  const named = [...entries, ...rest.entries].filter(({ subjectName }) => subjectName === 'ada@example.com')
  expect(named.map(({ action }) => action).sort()).toEqual([
    ...['account_disabled', 'account_enabled', 'email_changed', 'identities_reset', 'identity_linked'],
    ...['identity_unlinked', 'join_refused', 'member_left', 'member_removed', 'operator_added', 'operator_removed'],
    ...['passkeys_reset', 'rights_kept', 'role_changed', 'second_factor_reset', 'sessions_ended'],
  ])
  expect(new Set(named.map(({ workspaceId, workspace, address }) => `${workspaceId} ${workspace} ${address}`))).toEqual(
    new Set(['0195d0c4-0000-7000-8000-000000000000 null 192.0.2.1']),
  )
})
