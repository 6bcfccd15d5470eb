import { z } from 'zod'
import { AUDIT_FORMATS } from '../../audit/export-actions.ts'
import { MAX_ENTRIES } from '../../audit/list-actions.ts'
import { AUDIT_ACTIONS } from '../../audit/schema.ts'
import { contract } from '../contract.ts'
import { askedInstant, instant } from '../parts.ts'

const page = {
  action: z.enum(AUDIT_ACTIONS).optional(),
  accountId: z.string().optional().describe('who acted'),
  before: z.string().optional().describe('`next` of the page before'),
  limit: z.coerce.number().int().min(1).max(MAX_ENTRIES).optional().describe('of a page; 50 without it'),
}
const entry = z.object({
  entryId: z.string(),
  at: instant,
  action: z.enum(AUDIT_ACTIONS),
  accountId: z.string().nullable(),
  email: z.string().nullable(),
  workspaceId: z.string().nullable(),
  workspace: z.string().nullable(),
  address: z.string().nullable(),
  subject: z.string().nullable(),
  subjectName: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
})
const answer = z.object({ entries: z.array(entry), next: z.string().nullable() })

/** Everything that was done, in every workspace and to the installation. */
export const listAllActions = contract('GET', '/v1/operator/audit', {
  access: 'operator',
  query: z.strictObject({ ...page, workspace: z.string().optional() }),
  answer,
  status: 200,
})

/** The log of a period as one file, the oldest entry first. */
export const exportActions = contract('GET', '/v1/operator/audit/export', {
  access: 'operator',
  query: z.strictObject({
    format: z.enum(AUDIT_FORMATS),
    since: askedInstant.optional(),
    until: askedInstant.optional(),
  }),
  download: true,
  status: 200,
})

/** What was done in one workspace. */
export const listWorkspaceActions = contract('GET', '/v1/audit', {
  access: 'admin',
  query: z.strictObject({ ...page, workspace: z.string() }),
  answer,
  status: 200,
})
