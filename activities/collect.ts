import { Context as Activity } from '@temporalio/activity'
import { declareSources, dueSources, type SourceState, sourceStates } from '../src/catalog/source-store.ts'
import { isRemote, SOURCE_TIMEOUT_MS } from '../src/collectors/fetch/fetch-source.ts'
import { type DeclaredSource, readSources, type Sources } from '../src/collectors/sources-file.ts'
import type { Context } from '../src/context.ts'
import { type Instant, instantOf, SECOND } from '../src/lib/instant.ts'
import type { SafeFetch } from '../src/lib/safe-fetch/safe-fetch.ts'
import type { CollectOutcome } from './collect-outcome.ts'
import { type CollectLimits, type CollectTools, collectOne } from './collect-source.ts'

export type { CollectOutcome } from './collect-outcome.ts'

/** A source whose last check took longer than this does not hold up the others: it has a workflow of its own. */
export const SLOW_SOURCE_MS = 20 * SECOND
/** With less time left nothing is begun; what is due then waits for the next check. */
const LEAST_TIME_MS = 2 * SECOND
/** Sources that are collected beside each other within a check. */
const AT_ONCE = 4

type Ctx = Pick<Context, 'config' | 'log' | 'sql'>
type Ways = {
  get: SafeFetch['get']
  /** Starts `collect/<source>`, unless it runs. */
  startCollecting: (source: string) => Promise<void>
}

/** What a check did with the sources that were due. */
export type DueReport = {
  collected: CollectOutcome[]
  /** Slow sources, which go on in workflows of their own. */
  slow: string[]
  /** Due sources there was no time for. */
  left: number
}

export function collectActivities(ctx: Ctx, { get, startCollecting }: Ways) {
  const collecting = createCollecting(ctx, get)
  return {
    /** Collects what is due within a time budget. One bad source never stops the others. */
    collectDueSources({ now, budgetMs }: { now: Instant; budgetMs: number }): Promise<DueReport> {
      return attended((limits) => collecting.due(now, budgetMs, startCollecting, limits))
    },
    /** Collects one source, however long it takes. */
    collectSource({ source, now }: { source: string; now: Instant }): Promise<CollectOutcome> {
      return attended((limits) => collecting.one(source, now, limits))
    },
  }
}

const HEARTBEAT_MS = 5 * SECOND

/** Heartbeats while work goes on, with what it is at, and hears of its cancellation. */
async function attended<T>(work: (limits: Pick<CollectLimits, 'signal' | 'progress'>) => Promise<T>): Promise<T> {
  const activity = Activity.current()
  let at = 'starting'
  const beat = setInterval(() => activity.heartbeat(at), HEARTBEAT_MS)
  const progress = (what: string) => {
    at = what
  }
  try {
    return await work({ signal: activity.cancellationSignal, progress })
  } finally {
    clearInterval(beat)
  }
}

export type Collecting = ReturnType<typeof createCollecting>

/** Collecting without Temporal: what the activities and the command line share. */
export function createCollecting(ctx: Ctx, get: SafeFetch['get'], options: { spacingMs?: number } = {}) {
  const { sql, log, config } = ctx
  let known: Sources | undefined
  let declared: Promise<void> | undefined

  async function sources(): Promise<Sources> {
    known ??= readSources(config.sourcesFile)
    declared ??= declareSources(sql, known.enabled)
    await declared.catch((error) => {
      declared = undefined
      throw error
    })
    return known
  }

  const tools = ({ folder }: Sources): CollectTools => ({
    sql, log, get, folder, spacingMs: options.spacingMs, offline: config.offline, publicUrl: config.publicUrl,
  }) // biome-ignore format: one thing after another

  /** A fault of ours with one source is its outcome, and the others go on. */
  async function guarded(all: Sources, source: DeclaredSource, now: Instant, limits: CollectLimits) {
    const started = performance.now()
    try {
      return await collectOne(tools(all), source, now, limits)
    } catch (error) {
      if (limits.signal?.aborted) throw error
      log.error({ err: error, source: source.source }, 'collecting a source failed')
      const problem = `Collecting ${source.source} failed: ${error instanceof Error ? error.message : error}`
      return {
        source: source.source,
        outcome: 'failed',
        problem,
        durationMs: performance.now() - started,
      } as CollectOutcome
    }
  }

  return {
    /** Collects one declared source now, due or not. @throws Error when it is not declared. */
    async one(name: string, now: Instant, limits: Partial<CollectLimits> = {}): Promise<CollectOutcome> {
      const all = await sources()
      const source = all.enabled.find((one) => one.source === name)
      if (!source)
        throw new Error(
          `${name} is not an enabled source; the sources file declares ${all.all.map((one) => one.source).join(', ')}`,
        )
      return collectOne(tools(all), source, now, { timeoutMs: SOURCE_TIMEOUT_MS, ...limits })
    },

    async due(
      now: Instant,
      budgetMs: number,
      startCollecting: Ways['startCollecting'],
      limits: Pick<CollectLimits, 'signal' | 'progress'> = {},
    ): Promise<DueReport> {
      const started = performance.now()
      const all = await sources()
      const due = new Set(await dueSources(sql, now))
      const states = new Map((await sourceStates(sql)).map((state) => [state.source, state]))
      const waiting = all.enabled.filter(
        (source) => due.has(source.source) && !(config.offline && isRemote(source) && !source.bundled),
      )
      const report: DueReport = { collected: [], slow: [], left: 0 }
      const hand = async (source: string) => {
        await startCollecting(source)
        report.slow.push(source)
      }
      async function work() {
        for (let source = waiting.shift(); source; source = waiting.shift()) {
          const left = budgetMs - (performance.now() - started)
          if (left < LEAST_TIME_MS || limits.signal?.aborted) report.left++
          else if ((states.get(source.source)?.lastDurationMs ?? 0) > SLOW_SOURCE_MS) await hand(source.source)
          else {
            const outcome = await guarded(all, source, now, { ...limits, timeoutMs: left, borrowed: true })
            if (outcome.outcome === 'slow') await hand(source.source)
            else report.collected.push(outcome)
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      const troubled = report.collected.filter((one) => one.problem)
      if (troubled.length > 0)
        log.warn(
          { first: troubled[0]?.problem },
          `${troubled.length} of ${report.collected.length} sources checked need attention: npm run pricetape -- source list`,
        )
      return report
    },

    /** Every declared source with how it fares; `state` is absent before it was first collected. */
    async list(): Promise<(DeclaredSource & { state?: SourceState })[]> {
      const all = await sources()
      const states = new Map((await sourceStates(sql)).map((state) => [state.source, state]))
      return all.all.map((source) => ({ ...source, state: states.get(source.source) }))
    },
  }
}

/** Collects the named sources, or all that are enabled, now: for the command line. */
export async function collectNow(collecting: Collecting, names: string[] = []): Promise<CollectOutcome[]> {
  const wanted =
    names.length > 0 ? names : (await collecting.list()).filter((one) => one.enabled !== false).map((one) => one.source)
  const outcomes: CollectOutcome[] = []
  for (const name of wanted) outcomes.push(await collecting.one(name, instantOf(Date.now())))
  return outcomes
}
