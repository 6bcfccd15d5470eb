import type { Instant } from '../../lib/instant.ts'
import type { LineIdentity } from '../schema.ts'

/** What another source shows for a served line, at a price that is not the served one. */
export type Contradiction = {
  lineId: string
  /** The source of the line, and the price that it is served with. */
  source: string
  price: string
  /** A person decided about the line: it stays as it is. */
  isDecided: boolean
  other: OtherSource
}

type OtherSource = {
  source: string
  format: string
  price: string
  /** Since when it has shown this price beside the served one. */
  since: Instant
  /** Its rank for the provider is above that of the line's source. */
  isBetter: boolean
  /** It can decide about the line: it is not a witness, and its price does not wait for a person. */
  canDecide: boolean
  /** It decides about the line already. It goes on while its price waits. */
  decides: boolean
  /** Sources with a lower one come first. */
  place: number
}

/** A line whose price is contradicted, and by whom. */
export type ContradictedLine = {
  lineId: string
  source: string
  price: string
  otherPrice: string
  sources: string[]
  since: Instant
  /** The source that decides about the line from now on. */
  decidedBy?: string
}

/** A contradicted line that is served, with its row. */
export type ServedContradiction = LineIdentity &
  Omit<ContradictedLine, 'lineId'> &
  Pick<Contradiction, 'isDecided'> & { contentHash: string }
