import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { listMembers, listMemberships } from '../../src/accounts/members/list-members.ts'
import { createAccount } from '../../src/accounts/users/create-account.ts'
import { listAccounts } from '../../src/accounts/users/disable-account.ts'
import { createFirstAccountLink } from '../../src/accounts/users/links/create-first-account-link.ts'
import { requestSignUp } from '../../src/accounts/users/links/request-links.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { addAccount, addOperator, device, fiftyAtOnce, PASSWORD, silentMail } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'

describe('the first account', () => {
  const db = testDatabase({ each: true })
  const first = (token: string, email = 'olga@example.com') =>
    createAccount(db.sql, { token, name: 'Olga', email, password: PASSWORD }, device, { mailWorks: false })

  it('is the operator and takes over the workspace and the key made on the first start', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'First workspace' })
    const { keyId } = await createApiKey(db.sql, { workspaceId, name: 'First key' })
    const other = await createWorkspace(db.sql, { name: 'Made by a command' })
    const { keyId: otherKeyId } = await createApiKey(db.sql, { workspaceId: other.workspaceId, name: 'Its key' })
    const { account } = await first((await createFirstAccountLink(db.sql))!)
    expect(account).toMatchObject({ email: 'olga@example.com', operator: true, emailVerifiedAt: null })
    expect(await listMemberships(db.sql, account.accountId)).toMatchObject([{ workspaceId, role: 'admin' }])
    const keys = await db.sql`select key_id as id, created_by as by from api_key order by created_at`
    expect(keys).toEqual([
      { id: keyId, by: account.accountId },
      { id: otherKeyId, by: null },
    ])
    expect((await addAccount(db.sql, 'bob@example.com')).operator).toBe(false)
  })

  it('is created once, also by 50 holders of the link at once', async () => {
    const token = (await createFirstAccountLink(db.sql))!
    expect(await fiftyAtOnce((n) => first(token, `u${n}@example.com`))).toEqual({ ok: 1, invalid_link: 49 })
    expect(await listAccounts(db.sql)).toHaveLength(1)
  })

  it('needs the newest link: another start makes the one before it void', async () => {
    const old = (await createFirstAccountLink(db.sql))!
    const token = (await createFirstAccountLink(db.sql))!
    await expect(first(old)).rejects.toMatchObject({ code: 'invalid_link', status: 400, field: 'token' })
    await first(token)
  })

  it('needs an address, and keeps its link when that is missing', async () => {
    const token = (await createFirstAccountLink(db.sql))!
    const without = createAccount(db.sql, { token, name: 'O', password: PASSWORD }, device, { mailWorks: false })
    await expect(without).rejects.toMatchObject({ code: 'invalid_body', field: 'email' })
    await first(token)
  })

  it('has no link once there is an account, and one made at that moment is void', async () => {
    const token = (await createFirstAccountLink(db.sql))!
    await first(token)
    expect(await createFirstAccountLink(db.sql)).toBeUndefined()
    await db.sql`insert into account_link (kind, email_key, email, token_hash, created_at)
                 values ('first_account', '', '', sha256('late'), now())`
    await expect(first('late', 'eve@example.com')).rejects.toMatchObject({ code: 'invalid_link' })
  })

  it('is no one who signs up: that waits until there is one', async () => {
    const signUp = () =>
      requestSignUp(db.sql, silentMail(), { email: 'eve@example.com', signUp: 'open', address: '192.0.2.1' })
    await expect(signUp()).rejects.toMatchObject({ code: 'forbidden' })
    await addOperator(db.sql)
    await signUp()
  })

  it('its link is stored as a hash alone', async () => {
    const token = (await createFirstAccountLink(db.sql))!
    const [row] =
      await db.sql`select l::text as text, token_hash = sha256(${token}::bytea) as hashed from account_link l`
    expect(row!.text).not.toContain(token)
    expect(row!.hashed).toBe(true)
    const { account } = await first(token)
    expect(await listMembers(db.sql, account.accountId)).toEqual([])
  })
})
