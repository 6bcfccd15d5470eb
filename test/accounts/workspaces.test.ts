import { describe, expect, it } from 'vitest'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { listApiKeys } from '../../src/accounts/keys/list-api-keys.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import { deleteWorkspace } from '../../src/accounts/workspaces/delete-workspace.ts'
import { listWorkspaces } from '../../src/accounts/workspaces/list-workspaces.ts'
import { renameWorkspace } from '../../src/accounts/workspaces/rename-workspace.ts'
import { testDatabase } from '../support/database.ts'

const NOBODY = '019aa000-0000-7000-8000-000000000000'

describe('workspaces', () => {
  const db = testDatabase({ each: true })

  it('are listed oldest first, with the number of their keys', async () => {
    const one = await createWorkspace(db.sql, { name: 'One' })
    const two = await createWorkspace(db.sql, { name: 'Two' })
    await createApiKey(db.sql, { workspaceId: two.workspaceId, name: 'k' })
    expect(await listWorkspaces(db.sql)).toEqual([
      { workspaceId: one.workspaceId, name: 'One', createdAt: one.createdAt, keys: 0 },
      { workspaceId: two.workspaceId, name: 'Two', createdAt: two.createdAt, keys: 1 },
    ])
  })

  it('are renamed, to a name of 1 to 80 characters', async () => {
    const { workspaceId } = await createWorkspace(db.sql, { name: 'Old' })
    expect(await renameWorkspace(db.sql, { workspaceId, name: ' New ' })).toMatchObject({ workspaceId, name: 'New' })
    expect(await listWorkspaces(db.sql)).toMatchObject([{ name: 'New' }])
    for (const name of ['', 'x'.repeat(81)])
      await expect(renameWorkspace(db.sql, { workspaceId, name })).rejects.toMatchObject({ code: 'invalid_body' })
    const missing = renameWorkspace(db.sql, { workspaceId: NOBODY, name: 'x' })
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are deleted with their keys', async () => {
    await createWorkspace(db.sql, { name: 'Stays' })
    const { workspaceId } = await createWorkspace(db.sql, { name: 'Goes' })
    await createApiKey(db.sql, { workspaceId, name: 'k' })
    await deleteWorkspace(db.sql, { workspaceId })
    expect(await listWorkspaces(db.sql)).toMatchObject([{ name: 'Stays' }])
    expect(await listApiKeys(db.sql, workspaceId)).toEqual([])
    await expect(deleteWorkspace(db.sql, { workspaceId })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('are named in the audit log when a command deletes them', async () => {
    await createWorkspace(db.sql, { name: 'Stays' })
    const { workspaceId } = await createWorkspace(db.sql, { name: 'Goes' })
    await deleteWorkspace(db.sql, { workspaceId })
    const recorded = await db.sql`select subject, account_id from audit_entry where action = 'workspace_deleted'`
    expect(recorded).toEqual([{ subject: workspaceId, account_id: null }])
  })

  it('are not deleted while they have webhooks, whose deliveries would end unseen', async () => {
    await createWorkspace(db.sql, { name: 'Stays' })
    const { workspaceId } = await createWorkspace(db.sql, { name: 'Busy' })
    await db.sql`
      insert into webhook (workspace_id, name, url, created_at, updated_at)
      values (${workspaceId}, 'w', 'https://example.com/', now(), now())`
    const deleted = deleteWorkspace(db.sql, { workspaceId })
    await expect(deleted).rejects.toMatchObject({ code: 'workspace_in_use', status: 409 })
    expect(await listWorkspaces(db.sql)).toHaveLength(2)
  })

  it('the last one stays, also when two are deleted at once', async () => {
    const both = [await createWorkspace(db.sql, { name: 'One' }), await createWorkspace(db.sql, { name: 'Two' })]
    const deleted = await Promise.allSettled(both.map(({ workspaceId }) => deleteWorkspace(db.sql, { workspaceId })))
    expect(deleted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(deleted.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'workspace_in_use' } })
    expect(await listWorkspaces(db.sql)).toHaveLength(1)
  })
})
