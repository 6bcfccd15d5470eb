import type { SourceDeclaration } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { ParsedPrices } from '../schema.ts'

export type IngestInput = {
  source: SourceDeclaration
  /** SHA-256 of the snapshot, which is stored already. */
  snapshotHash: string
  parserVersion: number
  parsed: ParsedPrices
  /** Only for importing history: the instant to record at, instead of now. */
  at?: Instant
  /** No events and no items to review: for importing history on the first start. */
  quiet?: boolean
}
