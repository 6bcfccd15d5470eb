import { z } from 'zod'
import { contract } from '../../contract.ts'
import { instant, pricedRow } from '../../parts.ts'

const row = z.object({
  ...pricedRow,
  status: z.string(),
  statusAt: instant,
  recordedAt: instant,
  published: z.boolean().describe('it is served'),
  newest: z.boolean().describe('its price is the one that is served for its line'),
})
const reason = z.string().trim().min(1, 'say why: subscribers get it with the event').max(500, 'at most 500 characters')
const event = z.object({ event: z.string() })

/** The newest rows of a resource that are or were served. */
export const listResourceRows = contract('GET', '/v1/operator/prices', {
  access: 'operator',
  query: z.strictObject({ provider: z.string(), resource: z.string() }),
  answer: z.object({ rows: z.array(row) }),
  status: 200,
})

export const correctPrice = contract('POST', '/v1/operator/prices/:contentHash/correct', {
  access: 'operator',
  audit: 'price_corrected',
  body: z.strictObject({ price: z.string().describe('per one unit'), reason }),
  answer: event.extend({ contentHash: z.string() }),
  status: 200,
})

export const withdrawPrice = contract('POST', '/v1/operator/prices/:contentHash/withdraw', {
  access: 'operator',
  audit: 'price_withdrawn',
  body: z.strictObject({ reason }),
  answer: event,
  status: 200,
})

export const restorePrice = contract('POST', '/v1/operator/prices/:contentHash/restore', {
  access: 'operator',
  audit: 'price_restored',
  body: z.strictObject({ reason }),
  answer: event,
  status: 200,
})
