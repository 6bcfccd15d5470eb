import { SECOND } from '../../lib/instant.ts'
import type { FailureReason, GetAnswer, GetOutcome } from '../../lib/safe-fetch/safe-fetch.ts'
import type { FetchResult, HttpDetails } from './schema.ts'

const KEPT_HEADERS = ['etag', 'last-modified', 'content-type', 'date', 'age', 'cache-control', 'retry-after', 'server']
const MAX_HEADER_LENGTH = 1_000

/** What a machine without internet may also find, by what it has in place of it. */
const NOT_CONNECTED = new Set<FailureReason>([
  'dns_not_found',
  'dns_failed',
  'connection_refused',
  'unreachable',
  'timeout',
])

/** What is kept of an answer. */
export const httpDetails = ({ status, headers, url }: GetAnswer): HttpDetails => ({
  status,
  url,
  headers: Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => KEPT_HEADERS.includes(name))
      .map(([name, value]) => [name, value.slice(0, MAX_HEADER_LENGTH)]),
  ),
})

/** What to do about a source that sends more than its limit. */
export const HOW_TO_READ_MORE = 'Set maxBytes in the options of the source to read more (docs/sources.md, Size).'

/** Whether no connection to the host came about. */
export function isUnreachable(outcome: GetOutcome): boolean {
  if (outcome.kind === 'platform') return Boolean(outcome.offline)
  return outcome.kind === 'failed' && NOT_CONNECTED.has(outcome.reason)
}

/** An outcome that brought no bytes, as a sentence for the operator. */
export function fetchFailure(outcome: GetOutcome, url: string): FetchResult {
  const unreachable = isUnreachable(outcome)
  if (outcome.kind === 'platform')
    return { kind: 'failed', problem: `${url} was not read: ${outcome.message}.`, ours: true, unreachable }
  if (outcome.kind === 'failed') {
    const timedOut = outcome.reason === 'timeout'
    const advice = outcome.reason === 'too_large' ? ` ${HOW_TO_READ_MORE}` : ''
    return { kind: 'failed', problem: `${url} could not be read: ${outcome.message}.${advice}`, timedOut, unreachable }
  }
  const retryAfterMs = retryAfter(outcome.headers['retry-after'])
  return { kind: 'failed', problem: `${url} answered ${outcome.status}.`, http: httpDetails(outcome), retryAfterMs }
}

/** `Retry-After` in seconds or as a date. */
function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,8}$/.test(value.trim())) return Number(value) * SECOND
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}
