import { parseUrl } from '../../lib/http/parse-url.ts'
import { LimitExceededError } from '../../lib/isolation/errors.ts'
import type { Isolation } from '../../lib/isolation/isolation.ts'
import { defineTask } from '../../lib/isolation/task.ts'
import type { GetOutcome, GetRequest } from '../../lib/safe-fetch/safe-fetch.ts'
import type { Paging } from '../collector.ts'
import { limitsFor } from '../reading-limits.ts'
import { httpDetails } from './http-details.ts'
import type { HttpDetails } from './schema.ts'

/** A list of prices with more pages than this needs a narrower filter. */
const MAX_PAGES = 2_000

type Tasks = typeof import('./pages.task.ts')
const readPage = defineTask<Tasks['readPage']>(import.meta.url, './pages.task', 'readPage')
const joinPages = defineTask<Tasks['joinPages']>(import.meta.url, './pages.task', 'joinPages')

type Tools = { get: (url: string, request?: GetRequest) => Promise<GetOutcome>; isolation: Isolation }
type Limits = {
  paging: Paging
  maxBytes: number
  timeoutMs: number
  signal?: AbortSignal
  progress?: (what: string) => void
}
type Pages =
  | { kind: 'pages'; bytes: Uint8Array; http: HttpDetails; contentType: string }
  | { kind: 'failed'; outcome: GetOutcome }
type Reason = Extract<GetOutcome, { kind: 'failed' }>['reason']

/**
 * Follows the pages of a list on the declared host and puts the items of all pages into one document. A page that fails
 * fails the whole: half a list would look like removals.
 */
export async function fetchPages({ get, isolation }: Tools, url: string, limits: Limits): Promise<Pages> {
  const { signal, maxBytes, timeoutMs, paging } = limits
  const started = performance.now()
  const pages: Uint8Array[] = []
  const fail = (reason: Reason, message: string): Pages => ({
    kind: 'failed',
    outcome: { kind: 'failed', reason, message, durationMs: Math.round(performance.now() - started) },
  })
  let [size, items] = [0, 0]
  let next: string | undefined = url
  let http: HttpDetails | undefined
  try {
    for (let page = 1; next; page++) {
      if (page > MAX_PAGES) return fail('too_large', `there are more than ${MAX_PAGES} pages`)
      const left = timeoutMs - (performance.now() - started)
      if (left <= 0) return fail('timeout', `no end after ${page - 1} pages and ${timeoutMs} ms`)
      const outcome = await get(next, { timeoutMs: left })
      if (outcome.kind !== 'answer' || outcome.status !== 200) return { kind: 'failed', outcome }
      const { bytes } = outcome
      size += bytes.length
      if (size > maxBytes) return fail('too_large', `the pages are larger than ${maxBytes} bytes together`)
      const read = await isolation.run(readPage, { bytes, paging }, { ...limitsFor(bytes.length), signal })
      if (!read) return fail('bad_response', `page ${page} is not a page of prices`)
      pages.push(bytes)
      items += read.items
      http ??= httpDetails(outcome)
      next = nextAddress(url, read.next, paging)
      if (next !== undefined && !isSameHost(next, url))
        return fail('bad_redirect', `page ${page} leads to another host`)
      limits.progress?.(`page ${page}, ${items} items`)
    }
    const bytes = await isolation.run(joinPages, { pages, paging }, { ...limitsFor(size), signal })
    return { kind: 'pages', bytes, http: http!, contentType: 'application/json' }
  } catch (error) {
    if (!(error instanceof LimitExceededError)) throw error
    return fail('bad_response', error.message)
  }
}

function nextAddress(url: string, next: string | undefined, { parameter }: Paging): string | undefined {
  if (next === undefined || parameter === undefined) return next
  const address = new URL(url)
  address.searchParams.set(parameter, next)
  return address.href
}

/** Scheme and host; a page link that names the default port is the same host still. */
const isSameHost = (link: string, url: string): boolean => parseUrl(link)?.origin === new URL(url).origin
