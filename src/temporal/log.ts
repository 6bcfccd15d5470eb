import type { Logger, LogLevel, LogMetadata } from '@temporalio/common'
import type { Log } from '../lib/log.ts'

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const

/** The SDK's messages in our log. What it says of its own life is of interest only when looking for a fault. */
export function temporalLogger(log: Log): Logger {
  const write = (level: LogLevel, message: string, meta: LogMetadata = {}) => {
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
