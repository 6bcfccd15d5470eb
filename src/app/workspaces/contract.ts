import { z } from 'zod'
import { contract } from '../contract.ts'
import { membership, name } from '../parts.ts'
import * as at from './endpoints.ts'

export const listWorkspaces = contract(at.listWorkspaces, {
  access: 'session',
  answer: z.object({ workspaces: z.array(membership) }),
  status: 200,
})

export const createWorkspace = contract(at.createWorkspace, {
  access: 'session',
  body: z.strictObject({ name }),
  answer: z.object({ workspace: membership }),
  status: 201,
})

/** Deletes a workspace that has no webhooks. */
export const deleteWorkspace = contract(at.deleteWorkspace, {
  access: 'admin',
  status: 204,
})

export const renameWorkspace = contract(at.renameWorkspace, {
  access: 'admin',
  body: z.strictObject({ name }),
  answer: z.object({ workspace: membership.omit({ role: true }) }),
  status: 200,
})
