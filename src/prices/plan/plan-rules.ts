import { resourceKey } from '../../catalog/resource-rules.ts'
import { joinKey } from '../../lib/collections.ts'
import { DAY, epochMs, type Instant } from '../../lib/instant.ts'
import type { KnownLine } from '../schema.ts'
import { planAbsences } from './absence-rules.ts'
import { reviewReasons } from './review-reason-rules.ts'
import type { Difference, Facts, Plan, Proposal } from './schema.ts'

/** A price that only flips back is published once the source repeated it for this long. */
const CONFIRMATION_DELAY_MS = DAY

/** Decides what a snapshot publishes, holds, removes and renames. */
export function planIngest(known: Map<string, KnownLine>, diff: Difference, facts: Facts): Plan {
  const absences = planAbsences(known, diff, facts)
  const renamedTo = new Set(absences.renamed.map(({ provider, to }) => joinKey(provider, to)))
  const { publish, hold } = reviewReasons(known, diff, facts, renamedTo, absences.contested)
  const released = diff.waiting.filter((line) => isReleased(line, facts.now))
  const superseded = [
    ...diff.proposals.flatMap(({ known }) => (known?.held ? [known] : [])),
    ...diff.confirmed.filter((line) => line.held),
    ...diff.missing.filter((line) => line.held),
  ]
  const { confirmed } = diff
  const waiting = diff.waiting.filter((line) => !released.includes(line))
  return { ...absences, publish, hold, confirmed, released, superseded, waiting }
}

/** Whether a row that was held only because its price flips back has waited long enough. */
function isReleased({ held }: KnownLine, now: Instant): boolean {
  if (!held || held.reasons.length === 0) return false
  if (held.reasons.some((reason) => reason !== 'flips_back')) return false
  return epochMs(now) - epochMs(held.recordedAt) >= CONFIRMATION_DELAY_MS
}

/** Returns the first `rows` proposals and the rest of the last resource: its first event lists all its lines. */
export function firstResources(proposals: Proposal[], rows: number): Proposal[] {
  const last = resourceKey(proposals[rows - 1]!.line)
  const end = proposals.findIndex(({ line }, i) => i >= rows && resourceKey(line) !== last)
  return end === -1 ? proposals : proposals.slice(0, end)
}
