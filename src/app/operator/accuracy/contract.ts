import { z } from 'zod'
import { RANKS } from '../../../catalog/schema.ts'
import { contract } from '../../contract.ts'
import { instant, pricedRow } from '../../parts.ts'

const rank = z.enum(RANKS)
const lag = {
  published: z.int().describe('changes that were published in the 24 hours before'),
  hoursMedian: z.number().nullable().describe('from the first sight of a change anywhere; null without changes'),
  hoursP90: z.number().nullable(),
}
const counts = {
  contradicted: z.int(),
  byProvider: z.int(),
  independent: z.int(),
  ownList: z.int(),
  unconfirmed: z.int(),
}
const said = z.object({ day: z.int(), week: z.int(), month: z.int(), before: z.int() })
const group = z.object({ provider: z.string(), rank, ...counts, said, ...lag })

/** What the daily comparison of served prices with their sources gave. */
export const readAccuracy = contract('GET', '/v1/operator/accuracy', {
  access: 'operator',
  answer: z.object({
    newest: z
      .object({ day: z.string(), measuredAt: instant, total: z.object(lag), groups: z.array(group) })
      .optional()
      .describe('the worst first; absent before the first measure'),
    history: z.array(z.object({ day: z.string(), ...counts, ...lag })).describe('at most 30 days, the oldest first'),
  }),
  status: 200,
})

const contradicted = z.object({
  ...pricedRow,
  since: instant.optional().describe('since when, where it has been for 48 hours'),
  others: z.array(z.object({ source: z.string(), rank, price: z.string() })),
})

/** The served prices of a provider that its sources contradict now. */
export const listContradicted = contract('GET', '/v1/operator/accuracy/contradicted', {
  access: 'operator',
  query: z.strictObject({ provider: z.string() }),
  answer: z.object({ prices: z.array(contradicted), count: z.int().describe('of all; at most 200 are listed') }),
  status: 200,
})
