import { DAY, epochMs, type Instant } from '../../lib/instant.ts'
import type { DocumentReport } from '../schema.ts'
import { differenceInWords, independentWords } from './independent-words-rules.ts'

/** An event of a replay: when its text was first fetched, and when it was published. */
export type ReplayedEvent = {
  document: string
  seenAt: Instant
  publishedAt: Instant
  versionId: string
  classification?: string
}
/** A text whose words differ from those in force, and that made no event. */
export type SuppressedText = { document: string; at: Instant; because: string; difference: string }
/** Days in a row on which a document could not be read. */
export type Blind = { document: string; since: Instant; days: number; because: string }
/** A text that a person has to look at. */
export type HeldText = { document: string; at: Instant; because: string }

type Entry = { source: string; at: Instant; report: DocumentReport; refetch: boolean; markdown: string }

/** Collects what came of each fetch of a replay, to be read and labelled by people. */
export class Outcomes {
  readonly events: ReplayedEvent[] = []
  readonly suppressed: SuppressedText[] = []
  readonly blind: Blind[] = []
  readonly held: HeldText[] = []
  readonly #seen = new Map<string, Instant>()
  readonly #inForce = new Map<string, { words: string[] }>()
  readonly #blindSince = new Map<string, { since: Instant; because: string }>()
  readonly #known = new Set<string>()

  add({ source, at, report, refetch, markdown }: Entry): void {
    const { outcome, versionId, reason = outcome } = report
    this.#sees(source, at, report)
    if (outcome === 'quarantined') return
    for (const seen of [versionId, report.waits]) if (seen && !this.#seen.has(seen)) this.#seen.set(seen, at)
    if (outcome === 'held' && reason !== 'waits for review') this.held.push({ document: source, at, because: reason })
    if (outcome === 'published' || outcome === 'first') {
      this.#inForce.set(source, { words: independentWords(markdown) })
      if (outcome === 'published' && versionId)
        this.events.push({
          document: source,
          seenAt: this.#seen.get(versionId)!,
          publishedAt: at,
          versionId,
          classification: report.classification,
        })
    } else if (!refetch && (outcome === 'unchanged' || outcome === 'cosmetic'))
      this.#suppresses(source, at, reason, markdown)
  }

  #suppresses(source: string, at: Instant, because: string, markdown: string): void {
    const difference = differenceInWords(this.#inForce.get(source)?.words ?? [], independentWords(markdown))
    const key = `${source} ${difference}`
    if (difference === '' || this.#known.has(key)) return
    this.#known.add(key)
    this.suppressed.push({ document: source, at, because, difference })
  }

  #sees(source: string, at: Instant, { outcome, reason = '' }: DocumentReport): void {
    const blind = this.#blindSince.get(source)
    if (outcome === 'quarantined') {
      if (!blind) this.#blindSince.set(source, { since: at, because: reason })
    } else if (blind) {
      this.#blindSince.delete(source)
      this.#ends(source, at)(blind)
    }
  }

  #ends = (document: string, at: Instant) => (blind: { since: Instant; because: string }) => {
    const days = Math.round((epochMs(at) - epochMs(blind.since)) / DAY)
    this.blind.push({ document, since: blind.since, days, because: blind.because })
  }

  /** Ends what is still blind at the last page. */
  end(at: Instant): this {
    for (const [source, blind] of this.#blindSince) this.#ends(source, at)(blind)
    this.#blindSince.clear()
    return this
  }
}
