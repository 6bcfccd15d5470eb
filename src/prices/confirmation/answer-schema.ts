import { z } from 'zod'
import { RANKS } from '../../catalog/schema.ts'

const source = z.object({ source: z.string(), rank: z.enum(RANKS) })

/** Who confirmed a price, as the price history includes it. */
export const confirmation = z.object({
  confirmedAt: z.string().optional(),
  contradictedSince: z.string().optional(),
  confirmedBy: z
    .object({
      agree: z.array(source),
      disagree: z.array(source.extend({ price: z.string().optional(), held: z.boolean().optional() })),
    })
    .optional(),
})
export type ShownConfirmation = z.infer<typeof confirmation>
