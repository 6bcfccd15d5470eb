import { z } from 'zod'
import { contract } from '../../contract.ts'
import { instant } from '../../parts.ts'

const member = z.strictObject({ provider: z.string(), resource: z.string() })
const group = z.object({
  id: z.string(),
  name: z.string(),
  revision: z.int(),
  updatedAt: instant,
  members: z.array(member),
})
const saved = z.object({ id: z.string(), revision: z.int(), joined: z.array(member), left: z.array(member) })
/** More than the largest group, with room for its longest names. */
const BODY_LIMIT = 512 * 1024

/** The groups there are, and those that the names of what is priced suggest. */
export const listAliases = contract('GET', '/v1/operator/aliases', {
  access: 'operator',
  answer: z.object({
    groups: z.array(group),
    proposals: z.array(
      z.object({
        name: z.string(),
        groupId: z.string().optional(),
        members: z.array(member),
        joins: z.array(member),
        reasons: z.array(z.string()),
      }),
    ),
  }),
  status: 200,
})

export const acceptProposals = contract('POST', '/v1/operator/aliases/accept', {
  access: 'operator',
  audit: 'alias_proposals_accepted',
  body: z.strictObject({
    names: z.union([z.array(z.string()).min(1, 'name at least one proposal'), z.literal('all')]),
  }),
  bodyLimit: BODY_LIMIT,
  answer: z.object({
    saved: z.array(z.object({ name: z.string(), joined: z.int() })),
    skipped: z.array(z.object({ name: z.string(), message: z.string().describe('why it cannot be saved') })),
  }),
  status: 200,
})

export const createGroup = contract('POST', '/v1/operator/aliases', {
  access: 'operator',
  audit: 'alias_group_saved',
  body: z.strictObject({ name: z.string(), members: z.array(member) }),
  bodyLimit: BODY_LIMIT,
  answer: saved,
  status: 201,
})

export const saveGroup = contract('PUT', '/v1/operator/aliases/:groupId', {
  access: 'operator',
  audit: 'alias_group_saved',
  body: z.strictObject({
    name: z.string(),
    members: z.array(member),
    ifRevision: z.int().describe('the revision that was edited: another one is refused'),
  }),
  bodyLimit: BODY_LIMIT,
  answer: saved,
  status: 200,
})

export const deleteGroup = contract('DELETE', '/v1/operator/aliases/:groupId', {
  access: 'operator',
  audit: 'alias_group_deleted',
  status: 204,
})
