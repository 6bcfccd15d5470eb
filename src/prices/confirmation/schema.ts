import type { Rank } from '../../catalog/schema.ts'
import type { Instant } from '../../lib/instant.ts'

/** What another source shows for a served line. */
export type Statement = { source: string; format: string; rank: Rank; price: string }

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
  /** The price that its source has instead, where it is held. */
  insteadPrice?: string
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
