import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { MINUTE, SECOND } from '../../lib/instant.ts'
import type { GetAnswer, GetOutcome, GetRequest, SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'
import { DOCUMENT_FORMAT } from '../../terms/schema.ts'
import { bundledSnapshots } from '../formats/bundled.ts'
import { fetchPages } from './fetch-pages.ts'
import { renderPage } from './render-page.ts'
import { robotsRuleOf } from './robots.ts'

/** A snapshot larger than this is refused; `options.maxBytes` of a source says otherwise. */
const MAX_SNAPSHOT_BYTES = 256 * 1024 * 1024
/** A legal document is small; one this large is kept, and refused by its reader. */
const MAX_DOCUMENT_DOWNLOAD_BYTES = 16 * 1024 * 1024
/** A source gets this long; inside a check it gets what is left of the check's time. */
export const SOURCE_TIMEOUT_MS = 20 * MINUTE

/** What came of asking a source. A problem is one sentence for its operator. */
export type Fetched =
  | {
      kind: 'bytes'
      from: 'url' | 'file' | 'bundled'
      bytes: Uint8Array
      contentType?: string
      http?: Http
      note?: string
    }
  | { kind: 'unchanged'; http: Http }
  | { kind: 'failed'; problem: string; http?: Http; retryAfterMs?: number; timedOut?: boolean; ours?: boolean }

/** What is kept of an HTTP answer. */
export type Http = { status: number; headers: Record<string, string>; url: string }

export type FetchTools = {
  get: SafeFetch['get']
  /** Never reach for a live source. */
  offline: boolean
  /** Where the paths of curated files start: the folder of sources.json. */
  folder: string
  /** The pause between two requests to one host. */
  spacingMs?: number
}

export type FetchRequest = {
  /** Validators of the snapshot at hand, and where they come from. */
  known?: { etag?: string; lastModified?: string; url?: string }
  /** The live source was never read: a bundled release may stand in for it. */
  neverHeard: boolean
  timeoutMs: number
  signal?: AbortSignal
  progress?: (what: string) => void
}

export const isRemote = (source: SourceDeclaration): boolean => /^https?:/i.test(source.url ?? '')

/** Reads a source: its URL, its file, or the release that came with the product where the URL cannot be reached. */
export async function fetchSource(
  tools: FetchTools,
  source: SourceDeclaration,
  request: FetchRequest,
): Promise<Fetched> {
  const bundled = source.bundled ? bundledSnapshots(source.format).at(-1) : undefined
  const standIn = (note?: string): Fetched | undefined =>
    bundled && { kind: 'bytes', from: 'bundled', bytes: bundled.bytes(), contentType: 'application/json', note }
  if (!isRemote(source)) return source.url ? readLocal(tools.folder, source.url) : (standIn() ?? noUrl(source))
  if (tools.offline) return (request.neverHeard && standIn()) || failed('PRICETAPE_OFFLINE is set: it was not asked.')
  const fetched = await readRemote(tools, source, request)
  if (fetched.kind !== 'failed' || !request.neverHeard || !bundled) return fetched
  return standIn(`${fetched.problem} Prices are those of the bundled release ${bundled.version}.`) ?? fetched
}

const failed = (problem: string): Fetched => ({ kind: 'failed', problem })
const noUrl = (source: SourceDeclaration) => failed(`${source.source} has no url and nothing is bundled for it.`)

async function readLocal(folder: string, path: string): Promise<Fetched> {
  const file = isAbsolute(path) ? path : join(folder, path)
  try {
    return { kind: 'bytes', from: 'file', bytes: new Uint8Array(await readFile(file)) }
  } catch (error) {
    return failed(`The file ${file} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
}

async function readRemote(tools: FetchTools, source: SourceDeclaration, request: FetchRequest): Promise<Fetched> {
  const url = source.url!
  const isDocument = source.format === DOCUMENT_FORMAT
  const maxBytes = Number(source.options.maxBytes ?? (isDocument ? MAX_DOCUMENT_DOWNLOAD_BYTES : MAX_SNAPSHOT_BYTES))
  const { known, timeoutMs, signal } = request
  const get = (to: string, more: GetRequest = {}) =>
    inTurn(to, tools.spacingMs ?? HOST_SPACING_MS, () => tools.get(to, { maxBytes, timeoutMs, signal, ...more }))
  if (source.format === 'azure') {
    const pages = await fetchPages(get, url, { maxBytes, timeoutMs, progress: request.progress })
    return pages.kind === 'failed' ? problemOf(pages.outcome, url) : { ...pages, kind: 'bytes', from: 'url' }
  }
  if (isDocument) {
    const refused = await robotsRuleOf(tools.get)(url, signal)
    if (refused) return failed(`${refused}.`)
    if (source.options.browser === true) return readRendered(tools, url, request)
  }
  const validators = known?.url === url ? { etag: known.etag, lastModified: known.lastModified } : {}
  const outcome = await get(url, validators)
  if (outcome.kind === 'answer' && outcome.status === 304) return { kind: 'unchanged', http: httpOf(outcome) }
  if (outcome.kind !== 'answer' || outcome.status !== 200) return problemOf(outcome, url)
  const bytes = await unpacked(outcome.bytes, maxBytes)
  if (!bytes) return failed(`${url} sent a compressed file that is damaged or larger than ${maxBytes} bytes.`)
  return { kind: 'bytes', from: 'url', bytes, contentType: outcome.headers['content-type'], http: httpOf(outcome) }
}

/** A document whose declaration says that its page writes its text in the browser. */
async function readRendered(tools: FetchTools, url: string, { timeoutMs, signal }: FetchRequest): Promise<Fetched> {
  const rendered = await renderPage(tools.get, url, { timeoutMs, signal })
  if (rendered.kind === 'failed') return failed(`${url} was not read: ${rendered.problem}.`)
  if (rendered.status !== 200) return failed(`${url} answered ${rendered.status}.`)
  return { kind: 'bytes', from: 'url', bytes: Buffer.from(rendered.html), contentType: 'text/html; charset=utf-8' }
}

/** A file that is compressed by itself (`prices.json.gz`), beside what the transfer does. */
async function unpacked(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array | undefined> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return new Uint8Array(await promisify(gunzip)(bytes, { maxOutputLength: maxBytes }))
  } catch {
    return undefined
  }
}

const KEPT_HEADERS = ['etag', 'last-modified', 'content-type', 'date', 'age', 'cache-control', 'retry-after', 'server']
export const httpOf = ({ status, headers, url }: GetAnswer): Http => ({
  status,
  url,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.includes(name))),
})

function problemOf(outcome: GetOutcome, url: string): Fetched {
  if (outcome.kind === 'platform')
    return { kind: 'failed', problem: `${url} was not read: ${outcome.message}.`, ours: true }
  if (outcome.kind === 'failed') {
    const timedOut = outcome.reason === 'timeout'
    return { kind: 'failed', problem: `${url} could not be read: ${outcome.message}.`, timedOut }
  }
  const retryAfterMs = retryAfter(outcome.headers['retry-after'])
  return { kind: 'failed', problem: `${url} answered ${outcome.status}.`, http: httpOf(outcome), retryAfterMs }
}

/** `Retry-After` in seconds or as a date. */
function retryAfter(value: string | undefined, now = Date.now()): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,8}$/.test(value.trim())) return Number(value) * SECOND
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : Math.max(at - now, 0)
}

/** Between two requests to one host. */
const HOST_SPACING_MS = 250
const turns = new Map<string, Promise<unknown>>()

/** One request at a time to one host, and a pause after each. */
function inTurn<T>(url: string, spacingMs: number, work: () => Promise<T>): Promise<T> {
  const host = URL.canParse(url) ? new URL(url).host : url
  const mine = (turns.get(host) ?? Promise.resolve()).then(work)
  const done = mine.catch(() => {}).then(() => new Promise((resolve) => setTimeout(resolve, spacingMs)))
  turns.set(host, done)
  void done.then(() => turns.get(host) === done && turns.delete(host))
  return mine
}
