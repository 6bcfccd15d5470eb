import { type Instant, plus } from '../../src/lib/instant.ts'
import { type ConfirmationDelays, confirmationDelays, decide } from '../../src/terms/ingest/decision-rules.ts'
import { readDocument } from '../../src/terms/read/read-document.task.ts'
import { type DocumentState, GONE_AGAIN, type KnownVersion, NOT_COMPARED, REPLACED } from '../../src/terms/schema.ts'
import type { Volatility } from '../../src/terms/volatile/schema.ts'
import { START } from './pages.ts'

const HOUR = 3_600_000

type Event = { hour: number; diff: string }
type State = { version: KnownVersion & { markdown: string; leftOut: string[] } }

/**
 * Fetches of one document through the rules that read and decide, with its state in memory: what the database keeps is
 * proven elsewhere. Returns a function that takes a fetched text, and the events so far.
 */
export function simulateFetches(delays: ConfirmationDelays = confirmationDelays(6 * HOUR)) {
  const events: Event[] = []
  const known: KnownVersion[] = []
  let inForce: State['version'] | undefined
  let open: DocumentState['open']
  let volatility: Volatility = { places: [] }
  let returnsPublished = 0

  async function fetched(hour: number, markdown: string): Promise<void> {
    const at = plus(START as Instant, hour * HOUR)
    const learning = { known: volatility, at, confirmMs: delays.confirmMs }
    const reading = await readDocument({ content: { markdown }, current: inForce, learning })
    if ('problem' in reading) throw new Error(reading.problem)
    const { normalHash, learned, leftOut, comparison } = reading
    if (learned && inForce) {
      volatility = learned.volatility
      Object.assign(inForce, { normalHash: learned.currentNormalHash, leftOut: learned.currentLeftOut })
    }
    const arrived = { normalHash, doubts: comparison?.doubts ?? [] }
    const decision = decide({ current: inForce, open, known, returnsPublished }, arrived, at, delays)
    const seen = {
      versionId: String(hour),
      normalHash,
      firstSeenAt: open?.firstSeenAt ?? at,
      reasons: [],
      markdown,
      leftOut,
    }
    const version = {
      ...seen,
      status: 'published',
      recordedAt: at,
      returns: 'returnsTo' in decision && decision.returnsTo !== undefined,
    }
    if ('expired' in decision && decision.expired) {
      const gone = leftOut.length > 0 ? NOT_COMPARED : GONE_AGAIN
      const reasons = [decision.action === 'ignore' ? gone : REPLACED]
      known.push({ ...decision.expired, status: 'expired', reasons })
      open = undefined
    }
    if (decision.action === 'introduce') inForce = version
    if (decision.action === 'introduce') known.push(version)
    if (decision.action === 'open')
      open = { versionId: String(hour), status: 'candidate', normalHash, firstSeenAt: at, reasons: [] }
    if (decision.action !== 'confirm' && decision.action !== 'release') return
    if (comparison!.classification !== 'cosmetic') {
      events.push({ hour, diff: comparison!.difference.diff })
      if (decision.returnsTo) returnsPublished++
    }
    inForce = version
    known.push(version)
    open = undefined
  }
  return { fetched, events }
}
