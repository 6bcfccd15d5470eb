import { joinKey } from '../../../lib/collections.ts'
import { keyWithinResource } from '../../row-rules.ts'
import { besideOf, type LinePrice, type ResourcePrices } from '../evidence/beside-rules.ts'
import { HOLDS, type HoldReason } from './index.ts'

type BrokenInvariant = { line: LinePrice; reason: HoldReason }

const RELATIONS = HOLDS.flatMap((hold) => (hold.level === 'resource' ? [hold] : []))

/**
 * Returns the broken relations between the prices of one resource, each with the line that breaks it. Of 3,220 real
 * chat models at most three break each rule, so a break is nearly always damage.
 */
export function brokenInvariants(lines: LinePrice[]): BrokenInvariant[] {
  const index = new Map(lines.map((line) => [keyWithinResource(line), line]))
  return lines
    .filter(({ price }) => price > 0)
    .flatMap((line) => {
      const beside = besideOf(line, lines, index)
      return RELATIONS.filter(({ breaks }) => breaks(line, beside)).map(({ code }) => ({ line, reason: code }))
    })
}

/** A relation that was intact before, with the key of the line that breaks it within its resource. */
export type BrokenRelation = { key: string; reason: HoldReason }

/** Returns the relations that the listed prices break, among themselves and beside those that would stay as they are. */
export function brokenRelations({ before, after, left }: ResourcePrices): BrokenRelation[] {
  const known = new Set(brokenInvariants(before).map(keyOf))
  const broken = brokenInvariants(after).filter((one) => !known.has(keyOf(one)))
  const found = broken.map(({ line, reason }) => ({ key: keyWithinResource(line), reason }))
  if (left.length === 0) return found
  const all = new Set([...known, ...broken.map(keyOf)])
  const beside = brokenInvariants([...after, ...left]).filter((one) => !all.has(keyOf(one)))
  return [
    ...found,
    ...beside.map(({ line }) => ({ key: keyWithinResource(line), reason: 'contradicts_missing_line' as const })),
  ]
}

const keyOf = ({ line, reason }: BrokenInvariant) => joinKey(keyWithinResource(line), reason)
