import { z } from 'zod'
import { workspaceQuota } from '../../../accounts/workspaces/quota-rules.ts'
import { contract } from '../../contract.ts'

export const listAllWorkspaces = contract('GET', '/v1/operator/workspaces', {
  access: 'operator',
  answer: z.object({
    workspaces: z.array(
      z.object({
        workspaceId: z.string(),
        name: z.string(),
        used: z.object({ webhooks: z.int(), apiKeys: z.int(), members: z.int() }),
        quota: workspaceQuota,
      }),
    ),
  }),
  status: 200,
})

/** What a workspace has already stays, also where it is more. */
export const changeQuota = contract('PUT', '/v1/operator/workspaces/:workspaceId/quota', {
  access: 'operator',
  body: workspaceQuota,
  status: 204,
})
