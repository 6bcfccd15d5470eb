import { type Instant, plus } from '../../lib/instant.ts'
import type { DeliveryView } from '../log/delivery-schema.ts'
import { MAX_ATTEMPTS, RETRY_WAITS_MS } from './retry-schedule-rules.ts'

/** One of the six attempts of a cycle, as it went or as it is planned. */
export type RetryStep = {
  number: number
  /** `next` waits for its time; `planned` is made only if the one before it fails; `omitted` is never made. */
  state: 'succeeded' | 'failed' | 'unknown' | 'started' | 'next' | 'planned' | 'omitted'
  /** When it was made, or the earliest it will be. */
  at?: Instant
  /** How long it waits after the failure before it; absent for the first. */
  waitMs?: number
}

type Delivery = Pick<DeliveryView, 'status' | 'cycle' | 'nextTryAt' | 'attempts'>

/** Returns the retry schedule of a delivery's present cycle as six steps. */
export function retrySteps({ status, cycle, nextTryAt, attempts }: Delivery): RetryStep[] {
  const made = attempts.filter((attempt) => attempt.cycle === cycle && attempt.outcome !== 'platform')
  const isBeingMade = made.some((attempt) => attempt.outcome === 'started')
  const next = isBeingMade ? undefined : Math.max(0, ...made.map((attempt) => attempt.number)) + 1
  let earliest = isBeingMade ? undefined : nextTryAt
  return Array.from({ length: MAX_ATTEMPTS }, (_, index): RetryStep => {
    const number = index + 1
    const waitMs = RETRY_WAITS_MS[index - 1]
    const step = { number, ...(waitMs !== undefined && { waitMs }) }
    const attempt = made.findLast((candidate) => candidate.number === number)
    if (attempt) return { ...step, state: attempt.outcome as RetryStep['state'], at: attempt.at }
    if (status !== 'pending') return { ...step, state: 'omitted' }
    const isNext = number === next
    if (!isNext && earliest && waitMs) earliest = plus(earliest, waitMs)
    return { ...step, state: isNext ? 'next' : 'planned', ...(earliest && { at: earliest }) }
  })
}
