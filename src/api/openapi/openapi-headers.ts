type Header = { description: string; schema: { type: 'string' | 'integer'; minimum?: number } }
type Headers = Record<string, Header>

const text = (description: string): Header => ({ description, schema: { type: 'string' } })

/** Headers of every answer of the four endpoints. */
const ALWAYS: Headers = {
  'request-id': text('names this request in our logs: quote it when you report a fault'),
  ratelimit: text('what is left of each bucket, such as `"key";r=19;t=1`: r tokens now, all of them in t seconds'),
  'ratelimit-policy': text('how large each bucket is, such as `"key";q=20;w=4`: q tokens, filled up in w seconds'),
}

const KEPT: Headers = {
  etag: text('strong; send it as `if-none-match` to get 304 when you have the answer'),
  'cache-control': text('whether and for how long you may keep the answer'),
  vary: text('the headers of the request that decide what is sent'),
}

/** What JSON says beside the rows, where the format holds rows alone. */
const BESIDE_ROWS: Headers = {
  'pricetape-as-of': text('NDJSON and CSV: asOf'),
  'pricetape-next-cursor': text('NDJSON and CSV: nextCursor; absent when the walk is finished'),
  'pricetape-alias-id': text('NDJSON and CSV, with alias: id of the group'),
  'pricetape-alias-revision': text('NDJSON and CSV, with alias: revision of the group'),
  link: text('NDJSON and CSV: the next page, with rel="next"; absent when the walk is finished'),
}

const RETRY: Headers = { 'retry-after': { description: 'seconds to wait', schema: { type: 'integer', minimum: 1 } } }

/** Endpoints that need no key: what is left of the bucket of an address is not said. */
const PUBLIC = ['/v1/log/keys', '/v1/log/consistency']

/** Its answer to POST has no ETag. */
const UNKEPT = '/v1/log/proofs'

/** Returns the headers of an endpoint's answer with this status. */
export function headersOf(path: string, status: string): Headers {
  const besideRows = path === '/v1/prices/history' ? BESIDE_ROWS : {}
  const always = PUBLIC.includes(path) ? { 'request-id': ALWAYS['request-id']! } : ALWAYS
  if (path === UNKEPT && status === '200')
    return { ...always, 'cache-control': KEPT['cache-control']!, vary: KEPT.vary! }
  if (status === '200') return { ...always, ...KEPT, ...besideRows }
  if (status === '304') return { ...always, ...KEPT }
  return status === '429' || status === '503' ? { ...always, ...RETRY } : always
}
