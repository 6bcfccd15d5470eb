import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { readName } from '../name-rules.ts'
import { insertWorkspace } from '../workspaces/workspace-store.ts'
import type { Membership } from './member-schema.ts'
import { countMemberships, insertMember, tryLockCreation } from './member-store.ts'
import { MAX_WORKSPACES } from './workspace-rules.ts'

/**
 * Creates a workspace with this account as its admin.
 * @throws AppError invalid_body (field `name`); organization_limit when it belongs to 3; organization_busy while another
 * is being created for it
 */
export async function foundWorkspace(
  sql: Sql,
  { accountId }: { accountId: string },
  given: { name: string },
): Promise<Membership> {
  const name = readName(given.name)
  return sql.begin(async (tx) => {
    if (!(await tryLockCreation(tx, accountId))) {
      throw new AppError('organization_busy', 'Another workspace is being created for you at this moment: try again.')
    }
    if ((await countMemberships(tx, accountId)) >= MAX_WORKSPACES) {
      throw new AppError('organization_limit', `You belong to ${MAX_WORKSPACES} workspaces: leave one first.`)
    }
    const workspace = await insertWorkspace(tx, name)
    const { workspaceId } = workspace
    await insertMember(tx, { workspaceId, accountId, role: 'admin' })
    await recordAction(tx, 'workspace_created', { accountId, workspaceId })
    return { ...workspace, role: 'admin' as const }
  })
}
