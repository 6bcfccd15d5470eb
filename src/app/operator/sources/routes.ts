import { showSnapshot } from '../../../catalog/snapshots/show-snapshot.ts'
import { type ListedSource, listOutcomes, listSources } from '../../../catalog/sources/list-sources.ts'
import { endsAt } from '../../../catalog/sources/source-rules.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Sql } from '../../../lib/sql.ts'
import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'

/** A source without what only its reader needs. */
const shownSource = (state: ListedSource) => ({
  source: state.source,
  kind: state.kind,
  format: state.format,
  rank: state.rank,
  witness: state.witness,
  declared: state.declared,
  endsAt: !state.declared && !state.endedAt && state.undeclaredAt ? endsAt(state.undeclaredAt) : undefined,
  endedAt: state.endedAt,
  intervalSeconds: state.intervalSeconds,
  freshness: state.freshness,
  nextDueAt: state.nextDueAt,
  lastCheckedAt: state.lastCheckedAt,
  lastGoodAt: state.lastGoodAt,
  lastChangedAt: state.lastChangedAt,
  fetchedUrl: state.fetchedUrl,
  failures: state.failures,
  problem: state.problem,
  lastDurationMs: state.lastDurationMs,
  collecting: state.collecting,
  ignored: state.ignored.reduce((sum, { count }) => sum + count, 0),
})

export const sourcesRoutes: AppRoute[] = [
  /** GET /v1/operator/sources: where prices and documents are read from. */
  route(contracts.listSources, async ({ tools }) => ({
    offline: tools.offline,
    sources: (await listSources(tools.sql)).map(shownSource),
  })),

  /** GET /v1/operator/sources/{source}: its newest checks, and what they left out. */
  route(contracts.readSource, async ({ tools: { sql }, params }) => {
    const source = await sourceNamed(sql, params.source)
    const outcomes = await listOutcomes(sql, source.source)
    return {
      source: shownSource(source),
      outcomes: outcomes.map(({ report: _, ...outcome }) => outcome),
      ignored: source.ignored,
    }
  }),

  /** GET /v1/operator/snapshots/{hash}: what a source answered, as text. */
  route(contracts.readSnapshot, ({ tools, params }) => showSnapshot(tools.sql, params.hash)),

  /** POST /v1/operator/sources/{source}/collect: starts the workflow that reads it; one that runs goes on. */
  route(contracts.collectSource, async ({ tools, params }) => {
    const { source, declared } = await sourceNamed(tools.sql, params.source)
    if (!declared) throw new AppError('not_found', `${source} is not declared, or is off in the sources file.`)
    await tools.collect(source)
  }),
]

/** @throws AppError not_found */
async function sourceNamed(sql: Sql, name: string): Promise<ListedSource> {
  const source = (await listSources(sql)).find((listed) => listed.source === name)
  if (source) return source
  throw new AppError('not_found', `There is no source ${name}.`)
}
