import { expect, it } from 'vitest'
import { saveLink, useLink } from '../../src/accounts/users/links/link-store.ts'
import type { Tx } from '../../src/lib/sql.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase({ each: true })
const save = (email: string, token: string, more = {}) => saveLink(db.sql, { kind: 'sign_up', email, token, ...more })
const use = (token: string, kind: 'sign_up' | 'reset_password' = 'sign_up') =>
  db.sql.begin((tx: Tx) => useLink(tx, kind, token))

it('a link stays for a minute where its address asks for another, and not where an operator makes one', async () => {
  expect([await save('ada@example.com', 'a'), await save('ADA@example.com', 'b')]).toEqual([true, false])
  expect(await save('bob@example.com', 'c')).toBe(true)
  await db.sql`update account_link set created_at = created_at - interval '1 minute' where email = 'ada@example.com'`
  expect(await save('ada@example.com', 'd', { byOperator: true })).toBe(true)
  expect([await use('a'), await use('b'), await use('d', 'reset_password')]).toEqual([undefined, undefined, undefined])
  expect([await use('d'), await use('d'), await use('c')]).toEqual(['ada@example.com', undefined, 'bob@example.com'])
})

it('a link is used until it expires', async () => {
  await save('ada@example.com', 'a')
  await db.sql`update account_link set expires_at = clock_timestamp() - interval '1 s'`
  expect(await use('a')).toBeUndefined()
})
