import type { SourceDeclaration } from '../catalog/schema.ts'
import type { Instant } from '../lib/instant.ts'
import type { Proof } from '../prices/schema.ts'
import type { Place, PlaceOfPrice } from './places/schema.ts'
import type { Observations, ParserResult } from './reading/observations.ts'

export type { ParserResult } from './reading/observations.ts'
export { SnapshotError } from './snapshot-error.ts'

/** Reads a snapshot part by part. Both throw {@link SnapshotError}. */
export type SnapshotReader = { push(bytes: Uint8Array): void; end(): void }

/**
 * One source format. `parse` is pure: bytes in, observations out; it throws {@link SnapshotError} with one sentence an
 * operator understands. Raise `parserVersion` when the same bytes would give other observations.
 */
export type PriceCollector = {
  format: string
  parserVersion: number
  /** A page that its owner writes for people: read in English, and only where robots.txt lets robots read it. */
  isPage?: true
  /** Its answer comes in pages; absent where one answer is the whole list. */
  paging?: Paging
  parse(bytes: Uint8Array, context: ReadContext): ParserResult
  /** Reads lists that may be larger than memory; absent where lists are small. */
  read?(observations: Observations, context: ReadContext): SnapshotReader
  /** Shows where a snapshot has a price; absent where its locator is a JSON Pointer or a line. */
  place?(bytes: Uint8Array, wanted: PlaceOfPrice): Place | undefined
  /** Where the list says that it read a price itself; absent where lists say nothing about it. */
  proofOf?(value: unknown): Proof | undefined
}

/**
 * Where a page has its items, and what says where the next page is: an address, or a token that is sent as a parameter of
 * the declared address.
 */
export type Paging = { list: string; next: string; parameter?: string }

export type ReadContext = { source: SourceDeclaration; at: Instant }
