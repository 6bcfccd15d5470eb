import { z } from 'zod'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { contract } from '../contract.ts'
import { instant, inWorkspace, name } from '../parts.ts'
import * as at from './endpoints.ts'

const key = z.object({
  keyId: z.string(),
  name: z.string(),
  lastCharacters: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  expiresAt: instant.nullable(),
})

const givenInstant = z
  .string()
  .refine((text) => parseInstant(text) !== undefined, 'must be an instant such as 2027-01-31T00:00:00Z')
  .transform((text) => parseInstant(text) as Instant)

export const listKeys = contract(at.listKeys, {
  access: 'member',
  query: inWorkspace,
  answer: z.object({ keys: z.array(key) }),
  status: 200,
})

export const createKey = contract(at.createKey, {
  access: 'member',
  query: inWorkspace,
  body: z.strictObject({ name, expiresAt: givenInstant.optional() }),
  answer: z.object({ key: key.extend({ key: z.string().describe('the full value, shown this once') }) }),
  status: 201,
})

export const deleteKey = contract(at.deleteKey, {
  access: 'member',
  query: inWorkspace,
  status: 204,
})
