import { z } from 'zod'
import { contract } from '../contract.ts'
import { membership, name } from '../parts.ts'

export const listWorkspaces = contract('GET', '/v1/workspaces', {
  access: 'session',
  answer: z.object({ workspaces: z.array(membership) }),
  status: 200,
})

export const createWorkspace = contract('POST', '/v1/workspaces', {
  access: 'session',
  body: z.strictObject({ name }),
  answer: z.object({ workspace: membership }),
  status: 201,
})

/** Deletes a workspace that has no webhooks. */
export const deleteWorkspace = contract('DELETE', '/v1/workspaces/:workspaceId', {
  access: 'admin',
  status: 204,
})

export const renameWorkspace = contract('PATCH', '/v1/workspaces/:workspaceId', {
  access: 'admin',
  body: z.strictObject({ name }),
  answer: z.object({ workspace: membership.omit({ role: true }) }),
  status: 200,
})
