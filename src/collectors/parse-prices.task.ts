import type { SourceDeclaration } from '../catalog/schema.ts'
import type { Instant } from '../lib/instant.ts'
import { collectorFor, type ParserResult, SnapshotError } from './index.ts'

export type ParseInput = { source: SourceDeclaration; bytes: Uint8Array; at: Instant }

/** Reads the prices of a snapshot. What is wrong with the snapshot is a problem, not a fault. */
export function parsePrices({ source, bytes, at }: ParseInput): ParserResult | { problem: string } {
  try {
    return collectorFor(source.format)!.parse(bytes, { source, at })
  } catch (error) {
    if (error instanceof SnapshotError) return { problem: error.message }
    throw error
  }
}
