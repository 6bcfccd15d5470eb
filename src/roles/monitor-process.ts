import { collectDefaultMetrics } from 'prom-client'
import type { Config } from '../lib/config.ts'
import type { Log } from '../lib/log.ts'
import type { Sql } from '../lib/sql.ts'
import { type HealthAnswer, healthAnswer, sharedHealth, unavailable } from '../monitoring/answer-health.ts'
import { registerInstallationGauges } from '../monitoring/metrics/installation-gauges.ts'
import type { Metrics } from '../monitoring/metrics/metrics.ts'
import { type Monitoring, serveMonitoring } from '../monitoring/serve-monitoring.ts'

type Process = { config: Pick<Config, 'monitoring'>; log: Log; metrics: Metrics }
type ApiProcess = Process & {
  sql: Sql
  /** Why nothing can be answered yet. */
  unavailable: () => string | undefined
}

/** Answers scrapers and probes for an API process, until it is disposed of. */
export function monitorApi({ sql, unavailable: reason, ...process }: ApiProcess): Promise<Monitoring> {
  registerInstallationGauges(process.metrics.registry, sql)
  const health = sharedHealth(sql)
  const probe = (wanted: 'ready' | 'reads') => async (): Promise<HealthAnswer> => {
    const message = reason()
    return message === undefined ? healthAnswer(await health(), wanted) : unavailable(message)
  }
  return serve(process, { '/readyz': probe('ready'), '/readyz/reads': probe('reads') })
}

/** What a worker's probes ask. */
export type WorkerState = {
  /** Present once the database is open. */
  health?: ReturnType<typeof sharedHealth>
  /** It polls for work. */
  working: boolean
}

/** Answers scrapers and probes for a worker, from its first second on. The caller keeps `state` up to date. */
export function monitorWorker(
  process: Process & { sdk: () => Promise<string> },
  state: WorkerState,
): Promise<Monitoring> {
  const waiting = unavailable('This worker waits for the database and Temporal, or is stopping.')
  return serve(
    process,
    {
      '/readyz': async () => (state.working && state.health ? healthAnswer(await state.health(), 'ready') : waiting),
      '/readyz/work': async () => (state.working ? { status: 200, headers: {}, body: { status: 'ready' } } : waiting),
    },
    process.sdk,
  )
}

/** The worker's database is open: what it holds can be counted. */
export function monitorDatabase(sql: Sql, metrics: Metrics | undefined, state: WorkerState): void {
  state.health = sharedHealth(sql)
  if (metrics) registerInstallationGauges(metrics.registry, sql)
}

/** Sends this process's spans to a collector, until it is disposed of. */
export async function trace(settings: NonNullable<Config['tracing']>, role: string): Promise<AsyncDisposable> {
  const { startTracing } = await import('../monitoring/tracing/start-tracing.ts')
  return startTracing({ ...settings, role })
}

function serve(
  { config, log, metrics }: Process,
  probes: Parameters<typeof serveMonitoring>[0]['probes'],
  more?: () => Promise<string>,
): Promise<Monitoring> {
  collectDefaultMetrics({ register: metrics.registry })
  return serveMonitoring({ at: config.monitoring!, log, registry: metrics.registry, probes, more })
}
