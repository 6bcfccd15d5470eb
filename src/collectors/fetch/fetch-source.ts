import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { MINUTE } from '../../lib/instant.ts'
import type { GetRequest } from '../../lib/safe-fetch/safe-fetch.ts'
import { DOCUMENT_FORMAT } from '../../terms/schema.ts'
import { bundledSnapshots } from '../formats/bundled.ts'
import { collectorFor } from '../index.ts'
import { fetchIndex } from './fetch-index.ts'
import { fetchPages } from './fetch-pages.ts'
import { inTurn } from './host-turns.ts'
import { fetchFailure, HOW_TO_READ_MORE, httpDetails } from './http-details.ts'
import { robotsRuleOf } from './robots.ts'
import type { FetchRequest, FetchResult, FetchTools } from './schema.ts'
import { keyHeader } from './source-key.ts'
import { unpack } from './unpack.ts'

/** A snapshot larger than this is refused; `options.maxBytes` of a source says otherwise. */
const MAX_SNAPSHOT_BYTES = 256 * 1024 * 1024
/** A page is small; one this large is kept, and refused by its reader. */
const MAX_PAGE_DOWNLOAD_BYTES = 16 * 1024 * 1024
/** Some sites translate a page by machine for whoever does not say what they read. */
const PRICE_PAGE_HEADERS = { 'accept-language': 'en' }
/** A source gets this long; inside a check it gets what is left of the check's time. */
export const SOURCE_TIMEOUT_MS = 20 * MINUTE

export const isRemote = (source: SourceDeclaration): boolean => /^https?:/i.test(source.url ?? '')

/** Reads a source: its URL, its file, or the release that came with the product where the URL cannot be reached. */
export async function fetchSource(
  tools: FetchTools,
  source: SourceDeclaration,
  request: FetchRequest,
): Promise<FetchResult> {
  const bundled = source.bundled ? bundledSnapshots(source.format).at(-1) : undefined
  const standIn = (more?: { note: string; unreachable?: boolean }): FetchResult | undefined =>
    bundled && {
      kind: 'bytes',
      from: 'bundled',
      bytes: bundled.bytes(),
      contentType: 'application/json',
      address: bundled.address,
      ...more,
    }
  if (!isRemote(source)) return source.url ? readLocal(tools.folder, source.url) : (standIn() ?? noUrl(source))
  if (tools.offline) return (request.neverRead && standIn()) || failed('PRICETAPE_OFFLINE is set: it was not read.')
  const fetched = await readRemote(tools, source, request)
  if (fetched.kind !== 'failed' || !request.neverRead || !bundled) return fetched
  const note = `${fetched.problem} Prices are those of the bundled release ${bundled.version}.`
  return standIn({ note, unreachable: fetched.unreachable }) ?? fetched
}

const failed = (problem: string): FetchResult => ({ kind: 'failed', problem })
const noUrl = (source: SourceDeclaration) => failed(`${source.source} has no url and nothing is bundled for it.`)

async function readLocal(folder: string, path: string): Promise<FetchResult> {
  const file = isAbsolute(path) ? path : join(folder, path)
  try {
    return { kind: 'bytes', from: 'file', bytes: new Uint8Array(await readFile(file)) }
  } catch (error) {
    return failed(`The file ${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

async function readRemote(tools: FetchTools, source: SourceDeclaration, request: FetchRequest): Promise<FetchResult> {
  const url = source.url!
  const collector = collectorFor(source.format)
  const [isPricePage, paging] = [collector?.isPage === true, collector?.paging]
  const isPage = isPricePage || source.format === DOCUMENT_FORMAT
  const maxBytes = Number(source.options.maxBytes ?? (isPage ? MAX_PAGE_DOWNLOAD_BYTES : MAX_SNAPSHOT_BYTES))
  const { known, timeoutMs, signal, progress } = request
  const key = keyHeader(source, tools.keys)
  if ('problem' in key) return failed(key.problem)
  const headers = { ...(isPricePage && PRICE_PAGE_HEADERS), ...key.headers }
  const body = source.options.question === undefined ? {} : { body: JSON.stringify(source.options.question) }
  const get = (to: string, more: GetRequest = {}) =>
    inTurn(to, () => tools.get(to, { headers, maxBytes, timeoutMs, signal, ...body, ...more }), tools.spacingMs)
  if (paging) {
    const { isolation } = tools
    const pages = await fetchPages({ get, isolation }, url, { paging, maxBytes, timeoutMs, signal, progress })
    return pages.kind === 'failed' ? fetchFailure(pages.outcome, url) : { ...pages, kind: 'bytes', from: 'url' }
  }
  if (isPage) {
    const refused = await robotsRuleOf(tools)(url, signal)
    if (refused) return { kind: 'failed', ...refused }
    const rendered = source.options.browser === true ? await readRendered(tools, url, request) : undefined
    // Without a browser the page is read as it is sent: many of these hold their text all the same.
    if (rendered) return rendered
  }
  const validators = known?.url === url ? { etag: known.etag, lastModified: known.lastModified } : {}
  if (source.format === 'ai-price-index' && new URL(url).pathname.endsWith('/index.json')) {
    const { isolation } = tools
    return fetchIndex({ get, isolation }, url, { validators, maxBytes, timeoutMs, signal, progress })
  }
  const outcome = await get(url, validators)
  if (outcome.kind === 'answer' && outcome.status === 304) return { kind: 'unchanged', http: httpDetails(outcome) }
  if (outcome.kind !== 'answer' || outcome.status !== 200) return fetchFailure(outcome, url)
  const bytes = await unpack(outcome.bytes, maxBytes)
  if (!bytes)
    return failed(`${url} sent a compressed file that is damaged or larger than ${maxBytes} bytes. ${HOW_TO_READ_MORE}`)
  return { kind: 'bytes', from: 'url', bytes, contentType: outcome.headers['content-type'], http: httpDetails(outcome) }
}

/** A page that writes its text in the browser. Returns undefined where there is no browser. */
async function readRendered(
  tools: FetchTools,
  url: string,
  { timeoutMs, signal }: FetchRequest,
): Promise<FetchResult | undefined> {
  // What drives a browser takes a second of processor time to load: never at a start.
  const { renderPage } = await import('./render-page.ts')
  const rendered = await renderPage(tools.get, url, { timeoutMs, signal, log: tools.log })
  if (rendered.kind === 'failed' && rendered.noBrowser) return undefined
  if (rendered.kind === 'failed')
    return { kind: 'failed', problem: `${url} was not read: ${rendered.problem}.`, timedOut: rendered.timedOut }
  if (rendered.status !== 200) return failed(`${url} answered ${rendered.status}.`)
  return { kind: 'bytes', from: 'url', bytes: Buffer.from(rendered.html), contentType: 'text/html; charset=utf-8' }
}
