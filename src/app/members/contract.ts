import { z } from 'zod'
import { contract } from '../contract.ts'
import { instant, inWorkspace, role } from '../parts.ts'

export const listMembers = contract('GET', '/v1/members', {
  access: 'member',
  query: inWorkspace,
  answer: z.object({
    members: z.array(z.object({ accountId: z.string(), name: z.string(), email: z.string(), role, joinedAt: instant })),
  }),
  status: 200,
})

export const changeRole = contract('PATCH', '/v1/members/:accountId', {
  access: 'admin',
  query: inWorkspace,
  body: z.strictObject({ role }),
  status: 204,
})

/** Admins remove anyone; everyone may remove themselves. */
export const removeMember = contract('DELETE', '/v1/members/:accountId', {
  access: 'member',
  query: inWorkspace,
  status: 204,
})
