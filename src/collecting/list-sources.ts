import { servedUndeclared } from '../catalog/sources/ended-source-store.ts'
import { endsAt } from '../catalog/sources/source-rules.ts'
import { type IgnoredEntries, lastIgnored, type SourceState, sourceStates } from '../catalog/sources/source-store.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import type { Instant } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import type { Collecting } from './collecting.ts'

export type ListedSource = DeclaredSource & {
  /** Absent before it was first collected. */
  state?: SourceState
  /** What its parser left out of the newest answer, the most frequent first. */
  ignored: IgnoredEntries[]
}

/** Returns every declared source with its state and what its parser left out. */
export async function listSources(collecting: Collecting): Promise<ListedSource[]> {
  const { all } = await collecting.sources()
  const { sql } = await collecting.tools()
  const states = new Map((await sourceStates(sql)).map((state) => [state.source, state]))
  const ignored = await lastIgnored(sql)
  return all.map((source) => ({
    ...source,
    state: states.get(source.source),
    ignored: (ignored.get(source.source) ?? []).toSorted((a, b) => b.count - a.count),
  }))
}

/** A source that is not declared any more, whose prices end then. */
export type EndingSource = { source: string; endsAt: Instant }

/** Returns the sources that are not declared any more, and whose prices are still served. */
export const listUndeclared = async (sql: Sql): Promise<EndingSource[]> =>
  (await servedUndeclared(sql)).map(({ source, undeclaredAt }) => ({ source, endsAt: endsAt(undeclaredAt) }))
