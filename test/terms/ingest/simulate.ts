import { type Instant, plus } from '../../../src/lib/instant.ts'
import {
  type ConfirmationDelays,
  cameWith,
  confirmationDelays,
  decide,
} from '../../../src/terms/ingest/decision-rules.ts'
import { readDocument } from '../../../src/terms/read/read-document.task.ts'
import {
  type DocumentState,
  GONE_AGAIN,
  type KnownVersion,
  type OpenVersion,
  REPLACED,
} from '../../../src/terms/schema.ts'
import { START } from './pages.ts'

const HOUR = 3_600_000

type Event = { hour: number; diff: string }
type Text = { markdown: string }

/**
 * Fetches of one document through the rules that read and decide, with its state in memory: what the database keeps is
 * proven elsewhere. Returns a function that takes a fetched text, and the events so far.
 */
export function simulateFetches(delays: ConfirmationDelays = confirmationDelays(6 * HOUR)) {
  const events: Event[] = []
  const known: KnownVersion[] = []
  let inForce: (KnownVersion & Text) | undefined
  let open: (OpenVersion & Pick<KnownVersion, 'returns'> & Text) | undefined
  let returnsPublished = 0

  async function fetched(hour: number, markdown: string): Promise<void> {
    const at = plus(START as Instant, hour * HOUR)
    const state: DocumentState = { current: inForce, open, known: open ? [...known, open] : known, returnsPublished }
    const pending = cameWith(state) as (KnownVersion & Text) | undefined
    const reading = await readDocument({ content: { markdown }, current: inForce, pending })
    if ('problem' in reading) throw new Error(reading.problem)
    const { normalHash, lasting, comparison } = reading
    const arrived = {
      normalHash,
      doubts: comparison?.doubts ?? [],
      lasting: lasting?.doubts,
    }
    const decision = decide(state, arrived, at, delays)
    const text = { versionId: String(hour), normalHash, firstSeenAt: at, reasons: [], markdown }
    if ('expired' in decision && decision.expired) {
      const because = decision.action === 'ignore' ? GONE_AGAIN : REPLACED
      known.push({ ...decision.expired, status: 'expired', reasons: [because] })
      open = undefined
    }
    if (decision.action === 'introduce') putInForce(text)
    if (decision.action === 'open') {
      const returns = decision.returnsTo !== undefined
      open = { ...text, status: 'candidate', lastsSince: decision.lastsSince, returns }
    }
    if (decision.action === 'confirm part') {
      events.push({ hour, diff: lasting!.difference.diff })
      putInForce(decision.version as KnownVersion & Text)
      open = undefined
      return fetched(hour, markdown)
    }
    if (decision.action !== 'confirm' && decision.action !== 'release') return
    if (comparison!.classification !== 'cosmetic') {
      events.push({ hour, diff: comparison!.difference.diff })
      if (decision.returnsTo) returnsPublished++
    }
    putInForce(open!, decision.returnsTo !== undefined)
    open = undefined

    function putInForce(version: Omit<KnownVersion, 'status'> & Text, returns = false): void {
      inForce = { ...version, status: 'published', recordedAt: at, returns }
      known.push(inForce)
    }
  }
  return { fetched, events }
}
