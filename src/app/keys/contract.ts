import { z } from 'zod'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { contract } from '../contract.ts'
import { instant, inWorkspace, name } from '../parts.ts'

const key = z.object({
  keyId: z.string(),
  name: z.string(),
  lastCharacters: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  expiresAt: instant.nullable(),
  networks: z.array(z.string()).describe('where it may be used from, in CIDR notation; empty: everywhere'),
})

const networks = z.array(z.string())

const givenInstant = z
  .string()
  .refine((text) => parseInstant(text) !== undefined, 'must be an instant such as 2027-01-31T00:00:00Z')
  .transform((text) => parseInstant(text) as Instant)

export const listKeys = contract('GET', '/v1/keys', {
  access: 'member',
  query: inWorkspace,
  answer: z.object({ keys: z.array(key), most: z.int().describe('how many keys the workspace may have') }),
  status: 200,
})

export const createKey = contract('POST', '/v1/keys', {
  access: 'member',
  query: inWorkspace,
  body: z.strictObject({ name, expiresAt: givenInstant.optional(), networks: networks.optional() }),
  answer: z.object({ key: key.extend({ key: z.string().describe('the full value, shown this once') }) }),
  status: 201,
})

export const changeKey = contract('PATCH', '/v1/keys/:keyId', {
  access: 'member',
  query: inWorkspace,
  body: z.strictObject({ networks }),
  answer: z.object({ networks }),
  status: 200,
})

export const deleteKey = contract('DELETE', '/v1/keys/:keyId', {
  access: 'member',
  query: inWorkspace,
  status: 204,
})
