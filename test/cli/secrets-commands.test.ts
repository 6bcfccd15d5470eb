import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findSignedIn } from '../../src/accounts/sessions/find-signed-in.ts'
import { saveLink } from '../../src/accounts/users/links/link-store.ts'
import { listActions } from '../../src/audit/list-actions.ts'
import { cursorKeys } from '../../src/prices/history/cursor-key-store.ts'
import { addAccount, anotherSession } from '../support/accounts.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { newcomer } from '../support/installation.ts'

describe('rotating keys', () => {
  const db = testDatabase({ each: true })
  let here: Awaited<ReturnType<typeof newcomer>>
  beforeAll(async () => {
    here = await newcomer()
  })
  afterAll(() => here.remove())
  const secrets = async (name: string) => {
    const { code, said } = await command({ ...here.env, DATABASE_URL: db.url }, 'secrets', name, '--json')
    return { code, answer: code === 0 ? JSON.parse(said) : said.trim() }
  }

  it('sessions: everyone is signed out, everywhere', async () => {
    await addAccount(db.sql, 'ada@example.com')
    await addAccount(db.sql, 'bob@example.com')
    const tokens = await Promise.all(['ada', 'bob'].map((name) => anotherSession(db.sql, `${name}@example.com`)))
    const { code, answer } = await secrets('sessions')
    expect(code).toBe(0)
    expect(answer.ended).toBeGreaterThanOrEqual(2)
    expect(await Promise.all(tokens.map((token) => findSignedIn(db.sql, token)))).toEqual([undefined, undefined])
    const { entries } = await listActions(db.sql, {})
    const ended = entries.filter(({ action }) => action === 'sessions_ended')
    expect(ended).toMatchObject([{ accountId: null, detail: { ended: answer.ended } }])
  })

  it('sessions: links to another address are void, as who asked for them may not be the owner', async () => {
    const { accountId } = await addAccount(db.sql, 'ada@example.com')
    await saveLink(db.sql, { kind: 'change_email', email: 'thief@example.com', token: 'one', accountId })
    await saveLink(db.sql, { kind: 'reset_password', email: 'ada@example.com', token: 'two' })
    expect((await secrets('sessions')).code).toBe(0)
    expect(await db.sql`select kind from account_link`).toEqual([{ kind: 'reset_password' }])
  })

  it('the key of cursors: new ones get another key, and the keys of before are kept, because cursors do not expire', async () => {
    const { sealing } = await cursorKeys(db.sql)
    for (let n = 0; n < 2; n++)
      expect(await secrets('cursor-key')).toEqual({ code: 0, answer: { rotated: 'cursor-key' } })
    const after = await cursorKeys(db.sql)
    expect(after.sealing).not.toEqual(sealing)
    expect(after.earlier).toHaveLength(2)
    expect(after.earlier[1]).toEqual(sealing)
  })

  it('the key of cursors: the 101st change is refused, because no earlier key may be dropped', async () => {
    const { sealing } = await cursorKeys(db.sql)
    await db.sql`insert into earlier_cursor_key (key) select sha256(n::text::bytea) from generate_series(1, 100) as n`
    const { code, answer } = await secrets('cursor-key')
    expect([code, answer]).toEqual([1, expect.stringMatching(/^The key of cursors was replaced 100 times/)])
    expect((await cursorKeys(db.sql)).sealing).toEqual(sealing)
  })

  it('the password of a database of one’s own: it says how, and changes nothing', async () => {
    const { code, answer } = await secrets('database-password')
    expect(code).toBe(1)
    expect(answer).toMatch(/^This database is your own: change the password with ALTER ROLE/)
  })
})
