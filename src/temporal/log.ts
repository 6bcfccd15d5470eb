import type { Logger, LogLevel, LogMetadata } from '@temporalio/common'
import type { RuntimeOptions } from '@temporalio/worker'
import type { Log } from '../lib/log.ts'

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const

/**
 * The SDK's warning about a workflow task of more than five seconds. An attempt is a local activity, so it holds its
 * task for as long as the endpoint takes, which may be five seconds: nothing an operator should do anything about.
 */
const LONG_WORKFLOW_TASK = '[TMPRL1104]'

/** Its warning about the worker of slow sources, which runs activities alone. */
const NO_WORKFLOWS = 'No workflows registered'

/**
 * How an entry point installs the SDK's runtime: it logs into our log and leaves signals to us.
 * @param metricsAt host and port where it answers scrapers
 */
export const runtimeOptions = (log: Log, metricsAt?: string): RuntimeOptions => ({
  shutdownSignals: [],
  logger: temporalLogger(log),
  telemetryOptions: {
    logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
    ...(metricsAt !== undefined && { metrics: { prometheus: { bindAddress: metricsAt, ...CONVENTIONS } } }),
  },
})

/** Names of metrics as Prometheus wants them. */
const CONVENTIONS = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true }

/** The SDK's messages in our log. What it says of its own life is of interest only when looking for a fault. */
export function temporalLogger(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta: LogMetadata = {}) => {
    if (message.includes(LONG_WORKFLOW_TASK) || message.startsWith(NO_WORKFLOWS)) return
    const ours = meta.sdkComponent === 'workflow' || meta.sdkComponent === 'activity'
    const { error, ...rest } = meta
    log[level === 'INFO' && !ours ? 'debug' : LEVELS[level]](
      { ...rest, ...(error !== undefined && { err: error }) },
      message,
    )
  }
  return {
    log: write,
    trace: (message, meta) => write('TRACE', message, meta),
    debug: (message, meta) => write('DEBUG', message, meta),
    info: (message, meta) => write('INFO', message, meta),
    warn: (message, meta) => write('WARN', message, meta),
    error: (message, meta) => write('ERROR', message, meta),
  }
}
