import type { Isolation } from '../../lib/isolation/isolation.ts'
import type { Log } from '../../lib/log.ts'
import type { SafeFetch } from '../../lib/safe-fetch/safe-fetch.ts'

/** What came of reading a source. A problem is one sentence for its operator. */
export type FetchResult =
  | {
      kind: 'bytes'
      from: 'url' | 'file' | 'bundled'
      bytes: Uint8Array
      contentType?: string
      /** Where it comes from, if not from the declared address. */
      address?: string
      http?: HttpDetails
      note?: string
      /** A bundled release stands in, because no connection to the source's host came about. */
      unreachable?: boolean
    }
  | { kind: 'unchanged'; http: HttpDetails }
  | {
      kind: 'failed'
      problem: string
      http?: HttpDetails
      retryAfterMs?: number
      timedOut?: boolean
      /** Nothing was learned about the source: the fault is this process's or its network's. */
      ours?: boolean
      /** No connection to its host came about. */
      unreachable?: boolean
    }

/** What is kept of an HTTP answer. */
export type HttpDetails = { status: number; headers: Record<string, string>; url: string }

export type FetchTools = {
  get: SafeFetch['get']
  /** Where what was fetched is read. */
  isolation: Isolation
  /** Use no live source. */
  offline: boolean
  /** Where the paths of curated files start: the folder of the list of sources. */
  folder: string
  log?: Pick<Log, 'warn'>
  /** Keys of sellers by source. */
  keys?: Record<string, string>
  /** The pause between two requests to one host. */
  spacingMs?: number
}

export type FetchRequest = {
  /** Validators of the snapshot at hand, and where they come from. */
  known?: { etag?: string; lastModified?: string; url?: string }
  /** The live source was never read: a bundled release may replace it. */
  neverRead: boolean
  timeoutMs: number
  signal?: AbortSignal
  progress?: (what: string) => void
}
