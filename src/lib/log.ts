import { type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

export type Log = Logger

/**
 * Structured logs on stderr: JSON lines, or for a person at a terminal one short line each. What could hold a secret is cut
 * out by name wherever it occurs.
 */
export function createLog(level: string, format?: 'json' | 'text'): Log {
  const terminal = format === undefined ? process.stderr.isTTY === true : format === 'text'
  const options = {
    level,
    ...(terminal && { base: null }),
    serializers: { err: safeError },
    redact: {
      paths: [
        'authorization',
        'cookie',
        'key',
        'secret',
        'token',
        'url',
        '*.authorization',
        '*.cookie',
        '*.key',
        '*.secret',
        '*.token',
        'req.headers',
      ],
      censor: '[redacted]',
    },
  }
  const short = { destination: 2, sync: true, translateTime: 'HH:MM:ss', hideObject: false, singleLine: true }
  return pino(options, terminal ? pretty(short) : pino.destination(2))
}

/** What a log may say of an error: postgres.js hangs the statement and its parameters on its errors. */
function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return { name, message, stack, ...(cause !== undefined && { cause: safeError(cause) }) }
}
