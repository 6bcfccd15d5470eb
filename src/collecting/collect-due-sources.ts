import { dueSources, type SourceState, sourceStates } from '../catalog/sources/source-store.ts'
import { isRemote } from '../collectors/fetch/fetch-source.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import { type Instant, SECOND } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import { settleEvidence } from '../prices/confirmation/settle-confirmations.ts'
import { findContradictions } from '../prices/contradicted/find-contradictions.ts'
import { collectSource } from './collect-source.ts'
import type { Collecting } from './collecting.ts'
import { followDeclarations } from './follow-declarations.ts'
import { type CollectionResult, noInternet } from './internet-rules.ts'
import type { CollectLimits, CollectOutcome, CollectTools, DueReport, SourceShard } from './schema.ts'
import { isInShard, shardsFor } from './shard-rules.ts'

/** A source whose last check took longer than this does not hold up the others: it has a workflow of its own. */
export const SLOW_SOURCE_MS = 20 * SECOND
/** With less time left nothing is begun; what is due then waits for the next check. */
const LEAST_TIME_MS = 2 * SECOND
/** Sources that are collected beside each other within a check. */
const AT_ONCE = 4

type Budget = {
  budgetMs: number
  /** Starts `collect/<source>`, unless it runs. */
  startCollecting: (source: string) => Promise<void>
  /** Only these, when others collect the rest. */
  shard?: SourceShard
  /** Where more is due than one worker takes, collect nothing and say so. */
  mayDivide?: boolean
} & Pick<CollectLimits, 'signal' | 'progress'>

/**
 * Collects what is due within a time budget. One bad source never stops the others. A source whose reader died is
 * collected after the others, with nothing beside it.
 */
export async function collectDueSources(
  collecting: Collecting,
  now: Instant,
  { budgetMs, startCollecting, shard, mayDivide, ...limits }: Budget,
): Promise<DueReport> {
  const started = performance.now()
  const tools = await collecting.tools()
  const report: DueReport = { collected: [], slow: [], left: 0 }

  async function startSlow({ source }: DeclaredSource) {
    await startCollecting(source)
    report.slow.push(source)
  }

  async function collect({ source, state }: Due) {
    const leftMs = budgetMs - (performance.now() - started)
    if (leftMs < LEAST_TIME_MS || limits.signal?.aborted) {
      report.left++
      return
    }
    if ((state?.lastDurationMs ?? 0) > SLOW_SOURCE_MS) return startSlow(source)
    const outcome = await collectOrReport(tools, source, now, { ...limits, timeoutMs: leftMs, withinCheck: true })
    if (outcome.outcome === 'slow') await startSlow(source)
    else report.collected.push(outcome)
  }

  if (!shard)
    await followDeclarations(collecting, now).catch((error: unknown) => {
      tools.log.error({ err: error }, 'following the list of sources failed; the next check tries again')
    })
  const due = await dueNow(collecting, tools, now, shard)
  const shards = mayDivide ? shardsFor(due.length) : 1
  if (shards > 1) return { ...report, shards }
  const together = due.filter(({ state }) => !wasInterrupted(state))
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = together.shift(); next; next = together.shift()) await collect(next)
    }),
  )
  for (const alone of due.filter(({ state }) => wasInterrupted(state))) await collect(alone)
  if (!shard) await compareSources(tools, now)
  const remote = new Map(due.filter(({ source }) => isRemote(source)).map(({ source }) => [source.source, source]))
  report.noInternet = noInternet(tried(report, remote))
  logProblems(tools.log, report, remote)
  return report
}

/** Compares what sources say of served prices. */
export async function compareSources({ sql, log }: Pick<CollectTools, 'sql' | 'log'>, now: Instant): Promise<void> {
  try {
    await findContradictions(sql, now)
    await settleEvidence(sql, now)
  } catch (error) {
    log.error({ err: error }, 'comparing the sources failed; the next check tries again')
  }
}

/** Documents do not count: before them their robots.txt is read, which fails for more reasons. */
function tried({ collected }: DueReport, remote: Map<string, DeclaredSource>): CollectionResult[] {
  return collected.flatMap((outcome) => {
    const source = remote.get(outcome.source)
    return source && source.kind !== 'terms' ? [{ outcome, host: new URL(source.url!).host }] : []
  })
}

function logProblems(log: Log, { collected, noInternet }: DueReport, remote: Map<string, DeclaredSource>): void {
  if (noInternet) log.warn({ first: collected.find(({ unreachable }) => unreachable)?.problem }, noInternet)
  const others = noInternet ? collected.filter(({ source }) => !remote.has(source)) : collected
  const problems = others.flatMap(({ problem }) => problem ?? [])
  if (problems.length === 0) return
  const count = `${problems.length} of ${collected.length} sources checked need attention`
  log.warn({ first: problems[0] }, `${count}: npx pricetape source list`)
}

type Due = { source: DeclaredSource; state?: SourceState }

async function dueNow(
  { sources, config }: Collecting,
  { sql }: CollectTools,
  now: Instant,
  shard?: SourceShard,
): Promise<Due[]> {
  const { enabled } = await sources()
  const due = new Set(await dueSources(sql, now))
  const states = new Map((await sourceStates(sql)).map((state) => [state.source, state]))
  return enabled
    .filter(
      (source) =>
        due.has(source.source) &&
        (!shard || isInShard(source.source, now, shard)) &&
        !(config.offline && isRemote(source) && !source.bundled),
    )
    .map((source) => ({ source, state: states.get(source.source) }))
}

/** A claim that lapsed was never given back: its process died. */
const wasInterrupted = (state: SourceState | undefined): boolean =>
  state !== undefined && (state.interruptions > 0 || state.collectingUntil !== undefined)

/** A source whose failure could not even be recorded is reported, and the others go on. */
async function collectOrReport(
  tools: CollectTools,
  source: DeclaredSource,
  now: Instant,
  limits: CollectLimits,
): Promise<CollectOutcome> {
  const started = performance.now()
  try {
    return await collectSource(tools, source, now, limits)
  } catch (error) {
    if (limits.signal?.aborted) throw error
    tools.log.error({ err: error, source: source.source }, 'collecting a source failed')
    const problem = `Collecting ${source.source} failed: ${error instanceof Error ? error.message : error}`
    return { source: source.source, outcome: 'failed', problem, durationMs: performance.now() - started }
  }
}
