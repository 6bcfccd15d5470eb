import { freshnessOf } from '../../catalog/sources/source-rules.ts'
import type { EndingSource, ListedSource } from '../../collecting/list-sources.ts'
import { groupBy } from '../../lib/collections.ts'
import { parseUrl } from '../../lib/http/parse-url.ts'
import type { Instant } from '../../lib/instant.ts'
import { plural } from '../../lib/text/plural.ts'
import { agoText, minuteOf, table } from '../output.ts'

/** Returns every source with its state, the problems below, each once, and what parsers left out. */
export function sourcesText(sources: ListedSource[], undeclared: EndingSource[], now: Instant): string {
  const rows = sources.map((source) => [
    source.source,
    stateOf(source, now),
    source.state?.lastCheckedAt ? agoText(source.state.lastCheckedAt, now) : 'never',
  ])
  const parts = [
    table(['SOURCE', 'STATE', 'CHECKED'], rows),
    problemLines(sources).join('\n'),
    sources.flatMap(leftOutLines).join('\n'),
    undeclared
      .map(({ source, endsAt }) => `Not declared, or off: ${source} ends at ${minuteOf(endsAt)} UTC, with its prices.`)
      .join('\n'),
    summary(sources, now),
  ]
  return parts.filter(Boolean).join('\n\n')
}

function stateOf({ enabled, witness, state }: ListedSource, now: Instant): string {
  if (enabled === false) return 'off'
  const known = state?.problem ? 'failed' : state?.lastGoodAt ? freshnessOf(state, now) : 'not read yet'
  if (witness) return `${known}, witness`
  const isNearest = state?.rank === 'provider' || state?.rank === 'verified'
  return isNearest ? `${known}, ${state.rank}` : known
}

function summary(sources: ListedSource[], now: Instant): string {
  const counts = groupBy(sources, (source) => stateOf(source, now).replace(/, .*/, ''))
  const parts = [...counts].map(([state, of]) => `${of.length} ${state}`)
  return `${plural(sources.length, 'source')}: ${parts.join(', ')}.`
}

/** Sources with the same problem are counted, but for this many. */
const NAMED = 3

/** A problem that many sources have, such as a lost network, is one problem. */
function problemLines(sources: ListedSource[]): string[] {
  const broken = sources.filter(({ enabled, state }) => enabled !== false && state?.problem)
  const groups = groupBy(broken, ({ state, url }) => withoutHost(state!.problem!, url))
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group
    if (others.length < NAMED) return group.map(({ source, state }) => `${source}: ${state!.problem}`)
    const count = `${plural(group.length, 'source')} of ${sources.length}`
    return [`${count}: ${first!.state!.problem} (${first!.source} and ${others.length} others)`]
  })
}

/** Names of hosts differ where the problem is the same. */
function withoutHost(problem: string, url: string | undefined): string {
  const host = url === undefined ? undefined : parseUrl(url)?.host
  return host ? problem.replaceAll(host, 'HOST') : problem
}

/** Reasons that are named for each source. */
const REASONS_NAMED = 5

/** What a parser left out of the newest answer of a source. */
function leftOutLines({ source, ignored }: ListedSource): string[] {
  if (ignored.length === 0) return []
  const named = ignored.slice(0, REASONS_NAMED).map(({ reason, count }) => `  ${count} × ${reason}`)
  const more =
    ignored.length > REASONS_NAMED ? [`  and ${ignored.length - REASONS_NAMED} other reasons: see --json`] : []
  return [`Left out of ${source}:`, ...named, ...more]
}
