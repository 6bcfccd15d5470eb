import { showSnapshot } from '../../../catalog/snapshots/show-snapshot.ts'
import { type ListedSource, listOutcomes, listSources } from '../../../catalog/sources/list-sources.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Sql } from '../../../lib/sql.ts'
import { readSnapshot, readSource } from '../../contracts/operator-sources.ts'
import { route } from '../../route.ts'
import { shownSource } from './list.ts'

/** GET /v1/operator/sources/{source}: its newest checks, and what they left out. */
export const readSourceRoute = route(readSource, async ({ tools: { sql }, params }) => {
  const source = await sourceNamed(sql, params.source)
  const outcomes = await listOutcomes(sql, source.source)
  return {
    source: shownSource(source),
    outcomes: outcomes.map(({ report: _, ...outcome }) => outcome),
    ignored: source.ignored,
  }
})

/** GET /v1/operator/snapshots/{hash}: what a source answered, as text. */
export const readSnapshotRoute = route(readSnapshot, ({ tools, params }) => showSnapshot(tools.sql, params.hash))

/** @throws AppError not_found */
export async function sourceNamed(sql: Sql, name: string): Promise<ListedSource> {
  const source = (await listSources(sql)).find((listed) => listed.source === name)
  if (source) return source
  throw new AppError('not_found', `There is no source ${name}.`)
}
