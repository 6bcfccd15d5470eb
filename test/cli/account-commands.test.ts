import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addAccount, addOperator } from '../support/accounts.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'

describe('operators’ commands on accounts', () => {
  const db = testDatabase()
  const run = (...args: string[]) =>
    command({ DATABASE_URL: db.url, PRICETAPE_DATA_DIR: join(tmpdir(), 'pricetape-nothing-runs-here') }, ...args)

  it('list accounts, make a link to a new password, and make operators while one stays', async () => {
    await addOperator(db.sql)
    await addAccount(db.sql, 'mia@example.com')
    const link = await run('account', 'link', 'mia@example.com')
    const made = await run('account', 'operator', 'mia@example.com')
    const kept = await run('account', 'operator', 'nobody@example.com')
    expect(link).toMatchObject({ code: 0, said: expect.stringContaining('/reset-password#token=') })
    expect(made).toEqual({ code: 0, said: 'mia@example.com is an operator now.\n' })
    expect(kept).toMatchObject({ code: 1, said: expect.stringContaining('There is no account nobody@example.com') })
    expect((await run('account', 'operator', 'olga@example.com', '--revoke')).code).toBe(0)
    expect(await run('account', 'operator', 'mia@example.com', '--revoke')).toMatchObject({
      code: 1,
      said: expect.stringContaining('One operator who can sign in stays'),
    })
    const { accounts } = JSON.parse((await run('account', 'list', '--json')).said)
    expect(accounts).toMatchObject([
      { email: 'olga@example.com', operator: false },
      { email: 'mia@example.com', operator: true, disabledAt: null },
    ])
  })
})
