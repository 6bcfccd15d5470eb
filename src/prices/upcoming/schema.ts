import type { PricePoint } from '../../events/payloads/parts.ts'
import type { Instant } from '../../lib/instant.ts'
import type { DifferingLine } from '../plan/sets/line-set-rules.ts'
import type { LineIdentity, Observation } from '../schema.ts'

/** The next price that a source announces for a line. */
export type Upcoming = LineIdentity & {
  price: string
  beginsAt: Instant
  /** The day or instant as the source writes it. */
  effectiveFrom: string
  canonicalResource?: string
  locator: string
}

/** One of a line that the source decides about, with the price in force. */
export type DecidedUpcoming = Upcoming & { current?: PricePoint }

/** An announcement that was made before and has not ended. */
export type OpenUpcoming = Omit<Upcoming, 'locator'> & {
  id: string
  source: string
  current?: PricePoint
  /** The snapshot lists the announced price as the price in force. */
  isListed: boolean
}

export type EndReason = 'begun' | 'changed' | 'withdrawn' | 'taken_over'

/** What a snapshot announces, under the names that are served, and what it is judged by. */
export type FoundUpcoming = {
  upcoming: Upcoming[]
  lines: DifferingLine[]
  /** The prices that the snapshot lists for the resources. */
  listed: Observation[]
  suppressed: Record<string, number>
}
