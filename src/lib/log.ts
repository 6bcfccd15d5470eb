import { type Logger, pino } from 'pino'

export type Log = Logger

/** Structured logs; what could hold a secret is cut out by name wherever it stands. */
export function createLog(level: string): Log {
  return pino({
    level,
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
  })
}

/** What a log may say of an error: postgres.js hangs the statement and its parameters on its errors. */
function safeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return { name, message, stack, ...(cause !== undefined && { cause: safeError(cause) }) }
}
