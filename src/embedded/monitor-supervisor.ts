import type { Config } from '../lib/config.ts'
import type { Log } from '../lib/log.ts'
import { unavailable } from '../monitoring/answer-health.ts'
import { createSupervisorMetrics } from '../monitoring/metrics/supervisor-metrics.ts'
import { type Monitoring, serveMonitoring } from '../monitoring/serve-monitoring.ts'
import type { KeptService, Service } from './process/keep-running.ts'

/** Under `npm start` three processes answer scrapers, each on a port of its own, beginning with the one that is set. */
const PORT_AFTER = { api: 0, worker: 1, supervisor: 2 } as const

/** Returns where a process answers scrapers and probes; undefined where none does. */
export const monitoringAt = ({ monitoring }: Config, process: keyof typeof PORT_AFTER): Config['monitoring'] =>
  monitoring && { ...monitoring, port: monitoring.port + PORT_AFTER[process] }

/** What `npm start` does, for its probe. */
export type SupervisorState = {
  /** The processes that it keeps running, by name. */
  kept: Map<string, Pick<KeptService<Service>, 'status'>>
  /** Every process was started, and the database is prepared. */
  started: boolean
}

/** Answers scrapers and probes for `npm start` itself: which of its processes run. */
export async function monitorSupervisor(
  config: Config,
  log: Log,
  supervised: SupervisorState,
): Promise<Monitoring | undefined> {
  const at = monitoringAt(config, 'supervisor')
  if (!at) return undefined
  const states = () => [...supervised.kept].map(([process, { status }]) => ({ process, ...status() }))
  const probe = async () => {
    if (!supervised.started) return unavailable('It is starting.')
    const down = states().filter(({ up }) => !up)
    if (down.length === 0) return { status: 200, headers: {}, body: { status: 'ready' } }
    return unavailable(`Not running: ${down.map(({ process }) => process).join(', ')}.`)
  }
  return serveMonitoring({ at, log, registry: createSupervisorMetrics(states), probes: { '/readyz': probe } })
}
