import { z } from 'zod'
import type { Instant } from '../lib/instant.ts'
import type { PublishedRow } from '../prices/history/history-rules.ts'
import type { Money } from '../prices/schema.ts'
import type { RowLeaf } from '../proof/tree/leaf-rules.ts'

export const EXPORT_FORMATS = ['csv', 'parquet'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** A line of a file: a row with all its facts, and what happened to it, which is one leaf of the publication log. */
export type ExportedRow = Omit<PublishedRow, 'pricingTier' | 'price' | 'approvalStatus'> & {
  /** Canonical JSON. */
  pricingTier: string
} & Money & {
    /** The name that its resource has at `asOf`, where that is another one. */
    renamedTo?: string
    /** `approved` and `auto_approved`: it is served from `statusAt` on; `withdrawn` and `removed`: no longer. */
    approvalStatus: RowLeaf['status']
    statusAt: Instant
    /** Where it is served from `statusAt` on: until when, as of `asOf`. */
    servedUntil?: Instant
    leafIndex: number
  }

const hash = z.string().describe('base64')

/** What a file is verified with. It is in the file, or beside it. */
export const exportProof = z.object({
  /** The instant of the newest leaf. */
  asOf: z.string().transform((text) => text as Instant),
  /** Absent: the file has the rows of all providers. */
  providers: z.array(z.string()).optional(),
  /** Leaves of the log that the file is of: the first ones. */
  size: z.int().min(1),
  /** A signed checkpoint of at least as many leaves. */
  checkpoint: z.string(),
  /** That the tree of `size` leaves begins the one of the checkpoint (RFC 6962, section 2.1.2). */
  consistency: z.array(hash),
  /** The hashes over each 256 leaves: they tell which part of a file was changed. */
  tiles: z.array(hash),
  /** The leaves that are not about a row: their index and text. */
  otherLeaves: z.array(z.tuple([z.int().min(0), z.string()])),
})
export type ExportProof = z.infer<typeof exportProof>

/** What a process is asked to write to its standard output: a file, or what a file is verified with. */
export const exportTask = z.object({
  databaseUrl: z.string(),
  what: z.enum([...EXPORT_FORMATS, 'proof']),
  asOf: z.string().transform((text) => text as Instant),
  providers: z.array(z.string()).optional(),
})
export type ExportTask = z.infer<typeof exportTask>
