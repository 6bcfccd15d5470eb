import type { GetOutcome, GetRequest } from '../../lib/safe-fetch/safe-fetch.ts'
import { isObject, textAt } from '../reading/json.ts'
import { type Http, httpOf } from './fetch-source.ts'

/** A list of prices with more pages than this is asked for with a narrower filter. */
const MAX_PAGES = 2_000

type Get = (url: string, request?: GetRequest) => Promise<GetOutcome>
type Pages =
  | { kind: 'pages'; bytes: Uint8Array; http: Http; contentType: string }
  | { kind: 'failed'; outcome: GetOutcome }

/**
 * Follows `NextPageLink` on the declared host and puts the items of all pages into one document. A page that fails
 * fails the whole: half a list would look like removals.
 */
export async function fetchPages(
  get: Get,
  url: string,
  limits: { maxBytes: number; timeoutMs: number; progress?: (what: string) => void },
): Promise<Pages> {
  const started = performance.now()
  const items: unknown[] = []
  const fail = (reason: 'too_large' | 'bad_response' | 'bad_redirect' | 'timeout', message: string): Pages => ({
    kind: 'failed',
    outcome: { kind: 'failed', reason, message, durationMs: Math.round(performance.now() - started) },
  })
  let size = 0
  let next: string | undefined = url
  let http: Http | undefined
  for (let page = 1; next; page++) {
    if (page > MAX_PAGES) return fail('too_large', `there are more than ${MAX_PAGES} pages`)
    const left = limits.timeoutMs - (performance.now() - started)
    if (left <= 0) return fail('timeout', `no end after ${page - 1} pages and ${limits.timeoutMs} ms`)
    const outcome = await get(next, { timeoutMs: left })
    if (outcome.kind !== 'answer' || outcome.status !== 200) return { kind: 'failed', outcome }
    size += outcome.bytes.length
    if (size > limits.maxBytes) return fail('too_large', `the pages are larger than ${limits.maxBytes} bytes together`)
    const read = readPage(outcome.bytes)
    if (!read) return fail('bad_response', `page ${page} is not a page of prices`)
    for (const item of read.items) items.push(item)
    http ??= httpOf(outcome)
    next = read.next
    if (next !== undefined && !sameHost(next, url)) return fail('bad_redirect', `page ${page} leads to another host`)
    limits.progress?.(`page ${page}, ${items.length} items`)
  }
  const bytes = new TextEncoder().encode(JSON.stringify({ Items: items, Count: items.length }))
  return { kind: 'pages', bytes, http: http!, contentType: 'application/json' }
}

/** Scheme and host; a page link that names the default port is the same host still. */
function sameHost(link: string, url: string): boolean {
  return URL.canParse(link) && new URL(link).origin === new URL(url).origin
}

function readPage(bytes: Uint8Array): { items: unknown[]; next?: string } | undefined {
  try {
    const page: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (!isObject(page) || !Array.isArray(page.Items)) return undefined
    return { items: page.Items, next: textAt(page, 'NextPageLink') }
  } catch {
    return undefined
  }
}
