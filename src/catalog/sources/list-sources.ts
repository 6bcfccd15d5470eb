import type { Sql } from '../../lib/sql.ts'
import { databaseNow } from '../clock/clock-store.ts'
import { type Freshness, freshnessOf } from './source-rules.ts'
import {
  type FetchLine,
  type IgnoredEntries,
  lastIgnored,
  recentFetches,
  type SourceState,
  sourceStates,
} from './source-store.ts'

export type ListedSource = SourceState & {
  freshness: Freshness
  /** A process reads it at this moment. */
  collecting: boolean
  /** What its parser left out of the newest answer, the most frequent first. */
  ignored: IgnoredEntries[]
}

/** Returns every source that was collected or is declared, undeclared ones last. */
export async function listSources(sql: Sql): Promise<ListedSource[]> {
  const now = await databaseNow(sql)
  const ignored = await lastIgnored(sql)
  return (await sourceStates(sql)).map((state) => ({
    ...state,
    freshness: freshnessOf(state, now),
    collecting: state.collectingUntil !== undefined && state.collectingUntil > now,
    ignored: (ignored.get(state.source) ?? []).toSorted((a, b) => b.count - a.count),
  }))
}

/** Returns the newest checks of a source, the newest first. */
export const listOutcomes = (sql: Sql, source: string): Promise<FetchLine[]> => recentFetches(sql, source)
