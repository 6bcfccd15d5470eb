import { z } from 'zod'
import type { Instant } from '../../lib/instant.ts'

export const role = z.enum(['admin', 'member'])
export type Role = z.infer<typeof role>

/** A member as the workspace sees it. */
export type MemberView = { accountId: string; name: string; email: string; role: Role; joinedAt: Instant }
/** Someone in a workspace, and how many other admins can act there. */
export type CurrentRole = { workspaceId: string; role: Role | null; otherAdmins: number }
/** A workspace as its member sees it. */
export type Membership = { workspaceId: string; name: string; role: Role; createdAt: Instant }
