import { z } from 'zod'
import { contract } from '../contract.ts'
import { instant, inWorkspace, role } from '../parts.ts'
import * as at from './endpoints.ts'

export const listMembers = contract(at.listMembers, {
  access: 'member',
  query: inWorkspace,
  answer: z.object({
    members: z.array(z.object({ accountId: z.string(), name: z.string(), email: z.string(), role, joinedAt: instant })),
  }),
  status: 200,
})

export const changeRole = contract(at.changeRole, {
  access: 'admin',
  query: inWorkspace,
  body: z.strictObject({ role }),
  status: 204,
})

/** Admins remove anybody; everybody may remove themselves. */
export const removeMember = contract(at.removeMember, {
  access: 'member',
  query: inWorkspace,
  status: 204,
})
