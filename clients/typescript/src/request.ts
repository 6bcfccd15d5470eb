import type { AnswerCache, CachedAnswer } from './cache.ts'
import { ConnectionError, errorOf, PricetapeError } from './errors.ts'

export type RequestOptions = { signal?: AbortSignal }
/** What is asked for: a path, and what is too long for one as JSON. */
export type ApiRequest = { path: string; body?: object }

export type Settings = {
  baseUrl: string
  apiKey: string
  fetch: typeof fetch
  cache?: AnswerCache
  retries: number
  timeoutMs: number
}

/** The first wait when the server names none; each further one is twice as long. */
const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 30_000
/** Clients that were refused together come back spread over this much time. */
const JITTER_MS = 300

/**
 * Returns the body of an answer. Waits and sends the same request again on 429, on 5xx and when no answer comes: every
 * request here only reads.
 * @throws PricetapeError, ConnectionError, or the reason of `signal`
 */
export async function requestText(settings: Settings, asked: ApiRequest, { signal }: RequestOptions): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await requestOnce(settings, asked, signal)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (attempt >= settings.retries || !isWorthRetrying(error)) throw error
      await wait(waitMs(error, attempt), signal)
    }
  }
}

const isWorthRetrying = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof PricetapeError && ([408, 429].includes(error.status) || error.status >= 500))

function waitMs(error: unknown, attempt: number): number {
  const retryAfter = error instanceof PricetapeError ? error.retryAfter : undefined
  const base = retryAfter === undefined ? Math.min(FIRST_WAIT_MS * 2 ** attempt, MAX_WAIT_MS) : retryAfter * 1_000
  return base + Math.random() * JITTER_MS
}

async function requestOnce(settings: Settings, { path, body }: ApiRequest, signal?: AbortSignal): Promise<string> {
  const { baseUrl, apiKey } = settings
  const cache = body ? undefined : settings.cache
  const url = baseUrl + path
  const known = await cache?.get(url)
  const answer = await send(
    settings,
    url,
    {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'accept-encoding': 'br, gzip',
      ...(body && { 'content-type': 'application/json' }),
      ...(known && { 'if-none-match': known.etag }),
    },
    { signal, body },
  )
  if (answer.status === 304 && known) return known.body
  if (!answer.ok) throw errorOf(readError(answer))
  if (answer.etag) await cache?.set(url, { etag: answer.etag, body: answer.body } satisfies CachedAnswer)
  return answer.body
}

type Answer = { status: number; ok: boolean; etag: string | null; headers: Headers; body: string }

/** The answer, read whole, within the time there is. */
async function send(
  { fetch, timeoutMs }: Settings,
  url: string,
  headers: Record<string, string>,
  { signal, body: given }: RequestOptions & Pick<ApiRequest, 'body'>,
): Promise<Answer> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new Error(`No answer within ${timeoutMs} ms.`)), timeoutMs)
  const abort = () => controller.abort(signal?.reason)
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  try {
    // A redirect would take the key along: it is shown instead.
    const sent = given && { method: 'POST', body: JSON.stringify(given) }
    const answer = await fetch(url, { headers, redirect: 'manual', signal: controller.signal, ...sent })
    const body = await answer.text()
    return { status: answer.status, ok: answer.ok, etag: answer.headers.get('etag'), headers: answer.headers, body }
  } catch (error) {
    const cause = controller.signal.aborted ? controller.signal.reason : ((error as Error).cause ?? error)
    throw new ConnectionError(`${new URL(url).origin} does not answer: ${(cause as Error).message}`, { cause })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

function readError({ status, headers, body }: Answer) {
  const common = {
    status,
    retryAfter: secondsOf(headers.get('retry-after')),
    requestId: headers.get('request-id') ?? undefined,
  }
  const sent = parsedError(body)
  if (sent) return { ...common, code: sent.code, message: sent.message ?? sent.code, field: sent.field }
  const to = headers.get('location')
  const message = to ? `The server redirects to ${to}: use that address as url.` : `The server answered ${status}.`
  return { ...common, code: `http_${status}`, message }
}

function parsedError(body: string): { code: string; message?: string; field?: string } | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: string; field?: string } }
    return typeof error?.code === 'string' ? { ...error, code: error.code } : undefined
  } catch {
    return undefined
  }
}

/** Seconds, or a date as some proxies send it. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1_000)
}

function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
