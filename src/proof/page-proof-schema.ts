import { z } from 'zod'
import { SHA256_HEX } from '../lib/hash.ts'
import { inclusion } from './schema.ts'

/** Rows that one proof may be of: those of a page of the price history. */
const MAX_PROVEN_ROWS = 10_000

export const provenRows = z.strictObject({
  contentHashes: z
    .array(z.string().regex(SHA256_HEX))
    .min(1)
    .max(MAX_PROVEN_ROWS)
    .refine((hashes) => new Set(hashes).size === hashes.length, 'names a row twice')
    .describe('of rows of the price history, each once'),
})

const { leafIndex, leaf, row, hashes, checkpoint } = inclusion.shape
export const pageProof = z
  .object({
    rows: z.array(z.object({ leafIndex, leaf, row })).describe('in the order of contentHashes'),
    hashes: hashes.describe('of the largest subtrees that hold none of these leaves, from the left; base64'),
    checkpoint,
  })
  .meta({ id: 'LogPageProof' })
export type PageProof = z.infer<typeof pageProof>
