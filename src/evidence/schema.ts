import { z } from 'zod'
import { RANKS } from '../catalog/schema.ts'
import type { Instant } from '../lib/instant.ts'

const instant = z
  .custom<Instant>((value) => typeof value === 'string')
  .meta({ type: 'string', format: 'date-time', examples: ['2026-11-21T10:15:00.000Z'] })
const price = z.string().describe('exact decimal, in currency, per one unit')

const rank = z
  .enum(RANKS)
  .describe('whose word the source is: the provider’s own, verified at the provider’s, or a list that people keep')

const statedBy = z
  .object({
    url: z.string(),
    confidence: z.string().optional().describe('in the word of the list'),
    validatedOn: z.string().optional().describe('the day it was last compared with that page'),
  })
  .describe('where the list says that it read the price itself')

const place = z
  .object({
    text: z
      .string()
      .describe('a part of the page or file as it was; of a table its cells. Never to be run or rendered'),
    mark: z
      .tuple([z.int(), z.int()])
      .optional()
      .describe('what of the text is the price: its first character, and the one behind its last (UTF-16)'),
    table: z
      .object({
        under: z.array(z.string()).describe('the headings and tabs above the table'),
        rows: z.array(z.array(z.string())).describe('its headings, and the row of the price between its neighbours'),
        headerRows: z.int(),
        at: z.tuple([z.int(), z.int()]).optional().describe('row and column of the price'),
      })
      .optional(),
  })
  .describe('where the price stands in the page or file')

const noPlace = z
  .enum(['no_snapshot', 'snapshot_deleted', 'too_large', 'not_found'])
  .describe(
    'why there is no place: recorded without a snapshot, the snapshot is not kept any more, it is larger than 32 MB, or it has no such place as it is read today',
  )
export type NoPlace = z.infer<typeof noPlace>

const witness = z
  .object({
    source: z.string(),
    rank,
    resource: z.string().describe('its name of the resource'),
    price,
    agrees: z.boolean().describe('shows the same price'),
    independent: z.boolean().describe('false for lists that copy one another'),
    since: instant.describe('since when it shows this price'),
    lastReadAt: instant.optional(),
    address: z.string().optional(),
    effectiveFrom: z.string().optional(),
    statedBy: statedBy.optional(),
  })
  .meta({ id: 'Witness' })
/** What another source shows for the same price line. */
export type EvidenceWitness = z.infer<typeof witness>

/** Where a served price comes from, and who else shows it. */
export const evidence = z
  .object({
    contentHash: z.string(),
    provider: z.string(),
    source: z.string(),
    resource: z.string(),
    dimension: z.string(),
    unit: z.string(),
    currency: z.string(),
    pricingTier: z.record(z.string(), z.string()),
    price,
    recordedAt: instant,
    effectiveFrom: z.string().optional(),
    status: z.string().describe('the status now'),
    servedFrom: instant.describe('when the row was served first'),
    servedUntil: instant.optional().describe('when it stopped being served; absent while it is served'),
    rank,
    read: z
      .object({
        address: z
          .string()
          .optional()
          .describe('the page, the file, or the package of a list that came with Pricetape'),
        firstReadAt: instant.describe('when these bytes were read first'),
        snapshot: z.string().optional().describe('SHA-256 of the bytes'),
        size: z.int().optional().describe('of the bytes; absent when they are not kept any more'),
        contentType: z.string().optional(),
        locator: z.string().optional().describe('the place, as the parser names it'),
        statedBy: statedBy.optional(),
      })
      .describe('where the price was read'),
    entered: z.boolean().describe('a person entered this price; the place is what the source shows'),
    place: place.optional(),
    noPlace: noPlace.optional(),
    witnesses: z.array(witness).describe('what other sources show now, or showed last while the row was served'),
  })
  .meta({ id: 'Evidence' })
export type Evidence = z.infer<typeof evidence>
