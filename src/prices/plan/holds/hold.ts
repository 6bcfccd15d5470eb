import type { Beside, LinePrice } from '../evidence/beside-rules.ts'
import type { ContestedPart, Evidence } from '../evidence/evidence-schema.ts'
import type { Change } from './change-rules.ts'

/** What ends a hold: the source lists the price for this many days, other evidence agrees, or a person decides. */
type End = { by: 'time'; days: number } | { by: 'evidence'; ways: readonly string[] } | { by: 'person' }

/** A line whose price differs, with what is known about it. */
export type DoubtfulLine = {
  evidence: Evidence
  change: Change
  /** The price is higher or lower than anything of its kind costs. */
  isOutside: boolean
  /** What alone tells the line from one that the source no longer lists. */
  contested?: ContestedPart
  /** The price in force replaced this one in its own source: those that contradict it may not have followed yet. */
  isLeft: boolean
}

/** What changes at one provider in one snapshot. */
type ProviderBatch = { changed: Evidence[]; resources: number; listed: number }

/**
 * Why a price is held. `level` says what decides: a line, the prices of a resource beside each other, all changes of a
 * provider, or other holds (`set`); the file is in the folder of its level. `name` and `meaning` are for people. `npm run
 * generate` writes the list of all holds and their table in docs/prices.md from these files.
 */
export type Hold = {
  code: string
  /** Of several reasons, the one with the lowest rank names an item to review. */
  rank: number
  name: string
  meaning: string
  ends: End
  /** A list is wrong about this and a provider may mean it: `unusual_at_provider` stands in its place. */
  isMeantByProviders?: true
} & (
  | { level: 'line'; when: (line: DoubtfulLine) => boolean }
  | { level: 'resource'; breaks: (line: LinePrice, beside: Beside) => boolean }
  | { level: 'provider'; when: (batch: ProviderBatch) => boolean; unless?: (ofSet: Evidence[]) => boolean }
  | { level: 'set' }
)

export const BY_FIT = 'two other sellers of the same model that charge nearly the same'
export const BY_WITNESS = 'a witness that shows the same price'
export const BY_SOURCE = 'another price in the source'
