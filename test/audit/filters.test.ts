import { beforeAll, describe, expect, it } from 'vitest'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { exportActions } from '../../src/audit/export-actions.ts'
import { type AuditFilter, listActions } from '../../src/audit/list-actions.ts'
import { recordAction } from '../../src/audit/record-action.ts'
import { asRequester } from '../../src/audit/requester.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { addAccount } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { addWebhook } from '../support/webhooks/subscriptions.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const LATER = '2026-11-21T10:00:00.001Z' as Instant

describe('an entry', () => {
  const db = testDatabase()

  it('names whoever sent the request, unless it is about what another account did', async () => {
    const ada = (await addAccount(db.sql, 'ada@example.com')).accountId
    const bob = (await addAccount(db.sql, 'bob@example.com')).accountId
    const sender = { accountId: ada, email: 'ada@then.example', address: '192.0.2.1' }
    await asRequester(sender, async () => {
      await recordAction(db.sql, 'account_renamed')
      await recordAction(db.sql, 'account_renamed', { accountId: ada })
      await recordAction(db.sql, 'account_renamed', { accountId: bob })
    })
    await recordAction(db.sql, 'account_renamed', { accountId: bob })
    const entries = await db.sql<{ id: string; email: string; address: string | null }[]>`
      select account_id as id, email, address from audit_entry where action = 'account_renamed' order by entry_id`
    expect(entries.map(({ id, email, address }) => [id, email, address])).toEqual([
      [ada, 'ada@then.example', '192.0.2.1'],
      [ada, 'ada@then.example', '192.0.2.1'],
      [bob, 'bob@example.com', '192.0.2.1'],
      [bob, 'bob@example.com', null],
    ])
  })
})

describe('the list of actions', () => {
  const db = testDatabase()
  let [ada, bob] = ['', '']
  let [acme, other] = ['', '']
  let webhook: string
  /** Of the first entry that is not among these. */
  let end: string
  beforeAll(async () => {
    ada = (await addAccount(db.sql, 'ada@example.com')).accountId
    bob = (await addAccount(db.sql, 'bob@example.com')).accountId
    acme = (await foundWorkspace(db.sql, { accountId: ada }, { name: 'Acme' })).workspaceId
    other = (await foundWorkspace(db.sql, { accountId: bob }, { name: 'Other' })).workspaceId
    webhook = await addWebhook(db.sql, acme, { name: 'Orders' })
    await recordAction(db.sql, 'webhook_paused', { accountId: ada, workspaceId: acme, subject: webhook })
    await recordAction(db.sql, 'webhook_paused', { accountId: bob, workspaceId: other, subject: webhook })
    await recordAction(db.sql, 'webhook_paused', { accountId: bob, workspaceId: acme, subject: bob })
    await recordAction(db.sql, 'role_changed', { accountId: ada, workspaceId: acme, subject: bob })
    await recordAction(db.sql, 'operator_added', { subject: bob })
    await recordAction(db.sql, 'key_deleted')
    end = (await listActions(db.sql, {})).entries[0]!.entryId
  })
  const listed = async (filter: AuditFilter) =>
    (await listActions(db.sql, { before: end, ...filter })).entries.map(({ action, email, workspace, subjectName }) =>
      [action, email, workspace, subjectName].filter((text) => text !== null).join(' '),
    )

  it('is the newest first, with who acted, where, and what its subject is called there', async () => {
    expect(await listed({})).toEqual([
      'operator_added bob@example.com',
      'role_changed ada@example.com Acme bob@example.com',
      'webhook_paused bob@example.com Acme',
      'webhook_paused bob@example.com Other',
      'webhook_paused ada@example.com Acme Orders',
      'workspace_created bob@example.com Other',
      'workspace_created ada@example.com Acme',
      'signed_in bob@example.com',
      'account_created bob@example.com',
      'signed_in ada@example.com',
      'account_created ada@example.com',
    ])
  })

  it('is filtered by workspace, action and account, each and together', async () => {
    expect(await listed({ workspaceId: other })).toEqual([
      'webhook_paused bob@example.com Other',
      'workspace_created bob@example.com Other',
    ])
    expect(await listed({ accountId: ada })).toEqual([
      'role_changed ada@example.com Acme bob@example.com',
      'webhook_paused ada@example.com Acme Orders',
      'workspace_created ada@example.com Acme',
      'signed_in ada@example.com',
      'account_created ada@example.com',
    ])
    expect(await listed({ action: 'webhook_paused', workspaceId: acme })).toEqual([
      'webhook_paused bob@example.com Acme',
      'webhook_paused ada@example.com Acme Orders',
    ])
    expect(await listed({ action: 'webhook_paused', workspaceId: acme, accountId: bob })).toEqual([
      'webhook_paused bob@example.com Acme',
    ])
    const all = (await listActions(db.sql, { before: end })).entries
    expect(await listed({ before: all[7]!.entryId, accountId: ada })).toEqual([
      'signed_in ada@example.com',
      'account_created ada@example.com',
    ])
    for (const id of ['', 'x', `${acme}0`])
      for (const name of ['workspaceId', 'accountId', 'before'])
        expect(await listActions(db.sql, { [name]: id })).toEqual({ entries: [], next: null })
  })

  it('has 50 entries on a page, and another page only where there are more', async () => {
    const { workspaceId } = await foundWorkspace(db.sql, await addAccount(db.sql, 'zoe@example.com'), { name: 'Pages' })
    const add = (count: number) => db.sql`
      insert into audit_entry (at, action, workspace_id)
      select ${AT}, 'key_deleted', ${workspaceId} from generate_series(1, ${count})`
    await add(49)
    const only = await listActions(db.sql, { workspaceId })
    expect([only.entries.length, only.next]).toEqual([50, null])
    await add(1)
    const first = await listActions(db.sql, { workspaceId })
    expect(first.entries).toHaveLength(50)
    expect(first.next).toBe(first.entries.at(-1)!.entryId)
    const second = await listActions(db.sql, { workspaceId, before: first.next! })
    expect([second.entries.map(({ action }) => action), second.next]).toEqual([['workspace_created'], null])
  })

  it('keeps the address of an account that is deleted, and what was recorded of it', async () => {
    const { accountId } = await addAccount(db.sql, 'eve@example.com')
    await recordAction(db.sql, 'role_changed', { accountId, subject: accountId })
    await db.sql`delete from account where account_id = ${accountId}`
    const { entries } = await listActions(db.sql, { accountId })
    expect(entries.map(({ action, email }) => `${action} ${email}`)).toEqual([
      'role_changed eve@example.com',
      'signed_in eve@example.com',
      'account_created eve@example.com',
    ])
  })

  it('is exported from an instant on and before another, the oldest first', async () => {
    const subject = 'exported'
    await db.sql`
      insert into audit_entry (at, action, subject) values
      (${AT}::timestamptz - interval '1 ms', 'a', ${subject}), (${AT}, 'b', ${subject}), (${LATER}, 'c', ${subject})`
    const actions = async (period: { since?: Instant; until?: Instant }) => {
      const lines: { action: string; subject: string }[] = []
      for await (const text of exportActions(db.sql, period, 'jsonl'))
        for (const line of text.split('\n').filter((one) => one !== '')) lines.push(JSON.parse(line))
      return lines.filter((line) => line.subject === subject).map(({ action }) => action)
    }
    expect(await actions({})).toEqual(['a', 'b', 'c'])
    expect(await actions({ since: AT })).toEqual(['b', 'c'])
    expect(await actions({ until: LATER })).toEqual(['a', 'b'])
    expect(await actions({ since: AT, until: LATER })).toEqual(['b'])
  })
})
