import type { Rank } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'

/** What another source shows for a served line. `isHeld`: no one has reviewed its price. */
export type Statement = { source: string; format: string; rank: Rank; price: string; isHeld: boolean }

/** Everything that is known of a served row beside that it was read at its source. */
export type RowFacts = {
  contentHash: string
  lineId: string
  provider: string
  source: string
  format: string
  rank: Rank
  price: string
  /** Its source still says so. */
  said: boolean
  /** Its source says another price, which is held. */
  waits: boolean
  /** Since when other sources contradict it. */
  contradictedSince?: Instant
  others: Statement[]
  /** Tells whether the evidence is the same as before. */
  basis: string
}

/** What a period of confirmation says of a row. Its texts are the JSON that is served. */
export type RowConfirmation = {
  said: boolean
  contradictedSince?: Instant
  agree: string
  disagree: string
  byProvider: boolean
  independent: boolean
  independentOfOwn: boolean
}
