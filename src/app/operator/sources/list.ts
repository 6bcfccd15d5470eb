import * as catalog from '../../../catalog/sources/list-sources.ts'
import { endsAt } from '../../../catalog/sources/source-rules.ts'
import { listSources } from '../../contracts/operator-sources.ts'
import { route } from '../../route.ts'

/** GET /v1/operator/sources: where prices and documents are read from. */
export const listSourcesRoute = route(listSources, async ({ tools }) => ({
  offline: tools.offline,
  sources: (await catalog.listSources(tools.sql)).map(shownSource),
}))

/** A source without what only its reader needs. */
export const shownSource = (state: catalog.ListedSource) => ({
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
