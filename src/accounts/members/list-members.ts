import type { Sql } from '../../lib/sql.ts'
import type { Membership, MemberView } from './member-schema.ts'
import { membershipsOf, membersOf } from './member-store.ts'

/** Returns the members of a workspace, in the order in which they joined. */
export const listMembers = (sql: Sql, workspaceId: string): Promise<MemberView[]> => membersOf(sql, workspaceId)

/** Returns the workspaces that an account belongs to, in the order in which it joined them. */
export const listMemberships = (sql: Sql, accountId: string): Promise<Membership[]> => membershipsOf(sql, accountId)
