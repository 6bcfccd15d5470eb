import { DAY, epochMs, HOUR, type Instant } from '../../lib/instant.ts'
import { listedMs, type RawChange } from './raw-change-rules.ts'
import { wrongSets } from './slip-rules.ts'
import { type FlipProof, proveFlips } from './unit-flip-rules.ts'

/** A row as it was served, or as it was only held, with the reasons for which it was held. */
export type ServedRow = {
  price: string
  recordedAt: Instant
  /** Absent for a row that was never served. */
  from?: Instant
  to?: Instant
  heldFor: string[]
}

/** A price that the source listed for less time may have been a slip of its own. */
const TRUE_AFTER_MS = 2 * DAY

/** Whether a change is neither damage nor shorter than a slip. */
export const isLasting = (change: RawChange): boolean =>
  (change.kind === 'ordinary' || change.kind === 'from_zero') && listedMs(change) >= TRUE_AFTER_MS

/** Whether a change is one that has to be published. */
export const isTrue = ({ change, wrongUntil }: MeasuredChange): boolean => isLasting(change) && !wrongUntil

/** Whether a change is in a set of which the list was wrong: prices of one resource are published together or not at all. */
export const isInWrongSet = ({ change, wrongUntil }: MeasuredChange): boolean =>
  isLasting(change) && wrongUntil !== undefined

/** Returns each change with what became of it. `served` has the rows of each line. */
export function measureAll(changes: RawChange[], served: Map<string, ServedRow[]>): MeasuredChange[] {
  const wrong = wrongSets(changes)
  const proofs = proveFlips(changes)
  return changes.map((change) => ({
    ...measure(change, served.get(change.key) ?? []),
    wrongUntil: wrong.get(change.set),
    flip: proofs.get(change),
  }))
}

/** A change with the instant since when the new price was served, if it was, and what it was held for. */
export type MeasuredChange = {
  change: RawChange
  /** When the list corrected itself, if it was wrong about this set. */
  wrongUntil?: Instant
  /** What the snapshots say of it, if it moved the price by a power of ten. */
  flip?: FlipProof
  publishedAt?: Instant
  /** The new price was served already: the one before it never was. */
  servedBefore: boolean
  hours?: number
  reasons: string[]
}

/** Whether it was published, and not served all the time because the price before it never was. */
export const isNews = ({ hours, servedBefore }: MeasuredChange): boolean => hours !== undefined && !servedBefore

/** Finds when the changed price was served, if it was while the source listed it. */
function measure(change: RawChange, rows: ServedRow[]): Omit<MeasuredChange, 'wrongUntil' | 'flip'> {
  const isNew = (row?: ServedRow) => row !== undefined && Number(row.price) === Number(change.after)
  const instants = rows.flatMap(({ from, to }) => [from ?? [], to ?? []].flat())
  const within = instants.filter((at) => at >= change.at && (!change.until || at < change.until))
  const publishedAt = [change.at, ...within.sort()].find((at) => isNew(servedAt(rows, at)))
  const held = publishedAt
    ? rows.find((row) => isNew(row) && row.from === publishedAt)
    : rows.find((row) => isNew(row) && !row.from && row.recordedAt >= change.at)
  return {
    change,
    publishedAt,
    servedBefore: (servedAt(rows, change.at)?.from ?? change.at) < change.at && isNew(servedAt(rows, change.at)),
    hours: publishedAt && (epochMs(publishedAt) - epochMs(change.at)) / HOUR,
    reasons: held?.heldFor ?? rows.find(isNew)?.heldFor ?? [],
  }
}

/** The price of a line at an instant is that of the row that was recorded last. */
function servedAt(rows: ServedRow[], at: Instant): ServedRow | undefined {
  const open = rows.filter(({ from, to }) => from && from <= at && (!to || to > at))
  return open.sort((a, b) => (a.recordedAt < b.recordedAt ? 1 : -1))[0]
}
