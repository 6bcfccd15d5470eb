import { parseUrl } from '../../lib/http/parse-url.ts'
import { LimitExceededError } from '../../lib/isolation/errors.ts'
import type { Isolation } from '../../lib/isolation/isolation.ts'
import { defineTask } from '../../lib/isolation/task.ts'
import type { GetOutcome, GetRequest } from '../../lib/safe-fetch/safe-fetch.ts'
import { limitsFor } from '../reading-limits.ts'
import { fetchFailure, httpDetails } from './http-details.ts'
import type { FetchResult } from './schema.ts'

/** An index of prices with more files than this is broken. */
const MAX_FILES = 2_000

type Tasks = typeof import('./index-files.task.ts')
const readIndex = defineTask<Tasks['readIndex']>(import.meta.url, './index-files.task', 'readIndex')
const joinFiles = defineTask<Tasks['joinFiles']>(import.meta.url, './index-files.task', 'joinFiles')

type Tools = { get: (url: string, request?: GetRequest) => Promise<GetOutcome>; isolation: Isolation }
type Limits = {
  validators: Pick<GetRequest, 'etag' | 'lastModified'>
  maxBytes: number
  timeoutMs: number
  signal?: AbortSignal
  progress?: (what: string) => void
}

/**
 * Reads an index and the files it names on its host, as one document. An index that did not change needs one request: it
 * names each file by its content. A file that fails fails the whole.
 */
export async function fetchIndex({ get, isolation }: Tools, url: string, limits: Limits): Promise<FetchResult> {
  const { signal, maxBytes, timeoutMs } = limits
  const started = performance.now()
  const left = () => timeoutMs - (performance.now() - started)
  const first = await get(url, { ...limits.validators, timeoutMs })
  if (first.kind === 'answer' && first.status === 304) return { kind: 'unchanged', http: httpDetails(first) }
  if (first.kind !== 'answer' || first.status !== 200) return fetchFailure(first, url)
  const failed = (problem: string) => ({ kind: 'failed' as const, problem: `${url} was not read: ${problem}.` })
  try {
    const entries = await isolation.run(readIndex, { bytes: first.bytes }, { ...limitsFor(first.bytes.length), signal })
    if (!entries) return failed('it is not an index of files')
    if (entries.length > MAX_FILES) return failed(`it names more than ${MAX_FILES} files`)
    const files: Uint8Array[] = []
    let size = first.bytes.length
    for (const { file } of entries) {
      const address = parseUrl(file, url)
      if (address?.origin !== new URL(url).origin) return failed(`it names a file on another host, ${file}`)
      if (left() <= 0) return { ...failed(`no end after ${files.length} files and ${timeoutMs} ms`), timedOut: true }
      const outcome = await get(address.href, { timeoutMs: left() })
      if (outcome.kind !== 'answer' || outcome.status !== 200) return fetchFailure(outcome, address.href)
      size += outcome.bytes.length
      if (size > maxBytes) return failed(`its files are larger than ${maxBytes} bytes together`)
      files.push(outcome.bytes)
      limits.progress?.(`file ${files.length} of ${entries.length}`)
    }
    const bytes = await isolation.run(joinFiles, { entries, files }, { ...limitsFor(size), signal })
    if (!bytes) return failed('a file it names is not JSON')
    return { kind: 'bytes', from: 'url', bytes, contentType: 'application/json', http: httpDetails(first) }
  } catch (error) {
    if (!(error instanceof LimitExceededError)) throw error
    return failed(error.message)
  }
}
