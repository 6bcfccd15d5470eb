import type { SourceDeclaration } from '../catalog/schema.ts'
import type { Instant } from '../lib/instant.ts'
import type { ParsedPrices } from '../prices/schema.ts'

/** A snapshot that is not what its format says: kept, quarantined, and without effect on any price. */
export class SnapshotError extends Error {
  override name = 'SnapshotError'
}

/** What a parser reads, and when the same bytes will say something else: the start of the next announced price. */
export type PricesRead = ParsedPrices & { nextChangeAt?: Instant }

/**
 * One source format. `parse` is pure: bytes in, observations out; it throws {@link SnapshotError} with one sentence an
 * operator understands. Raise `parserVersion` when the same bytes would give other observations.
 */
export type PriceCollector = {
  format: string
  parserVersion: number
  parse(bytes: Uint8Array, context: { source: SourceDeclaration; at: Instant }): PricesRead
}
