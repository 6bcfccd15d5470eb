import { parseUrl } from '../../lib/http/parse-url.ts'
import { SECOND } from '../../lib/instant.ts'
import type { GetOutcome, SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'

/** Metadata, keys and tokens are some kilobytes. */
const MAX_ANSWER_BYTES = 1024 * 1024
/** Of each request: someone waits on the page of the sign-in. */
export const PROVIDER_ANSWERS_WITHIN_MS = 5 * SECOND
const NO_BODY = new Set([204, 205, 304])

/** The provider gave no answer. */
export class ProviderSilent extends Error {
  override name = 'ProviderSilent'
}

/** What a request to the provider may have: as `fetch` takes it. */
type Request = { method: string; headers: Record<string, string>; body?: unknown; signal?: AbortSignal }

/**
 * Returns how requests to the provider are made. Its operator declared the issuer: that server may be anywhere, as the mail
 * server may. Every other server that the provider names has to be public, as a webhook's: it must not lead us to a
 * neighbour.
 * @param clients.checked connects to public addresses alone, also through the outbound proxy
 * @param clients.any connects directly, to any address
 */
export function createProviderFetch(issuer: string, clients: { checked: SafeFetch; any: SafeFetch }) {
  const { origin, hostname, port } = new URL(issuer)
  async function clientFor(url: URL): Promise<SafeFetch> {
    if (url.origin !== origin || port !== '') return url.origin === origin ? clients.any : clients.checked
    const isPublic = url.protocol === 'https:' && (await clients.checked.resolve(hostname)).kind === 'addresses'
    return isPublic ? clients.checked : clients.any
  }

  /** @throws ProviderSilent without an answer */
  return async (text: string, { method, headers, body, signal }: Request): Promise<Response> => {
    const url = parseUrl(text)
    if (!url || (url.protocol !== 'https:' && url.origin !== origin))
      throw new ProviderSilent('it names an address that is not https')
    if (method !== 'GET' && method !== 'POST') throw new ProviderSilent(`${method} is not sent`)
    const client = await clientFor(url)
    const outcome = await client.get(url.href, {
      headers: { ...headers, ...(body instanceof URLSearchParams && { 'content-type': FORM }) },
      ...(method === 'POST' && { body: String(body ?? '') }),
      followsNone: true,
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: PROVIDER_ANSWERS_WITHIN_MS,
      signal,
    })
    return responseOf(outcome)
  }
}
const FORM = 'application/x-www-form-urlencoded;charset=UTF-8'

function responseOf(outcome: GetOutcome): Response {
  if (outcome.kind !== 'answer') throw new ProviderSilent(outcome.message)
  const { status, bytes } = outcome
  const headers = Object.entries(outcome.headers).filter(([name]) => !DECODED.has(name))
  return new Response(NO_BODY.has(status) ? null : new Uint8Array(bytes), { status, headers })
}
/** The body is decoded: these say how it was sent. */
const DECODED = new Set(['content-encoding', 'content-length', 'transfer-encoding'])
