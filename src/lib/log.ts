import { type Logger, pino } from 'pino'

export type Log = Logger

/** Structured logs; what could hold a secret is cut out by name wherever it stands. */
export function createLog(level: string): Log {
  return pino({
    level,
    redact: {
      paths: ['authorization', 'cookie', 'key', 'secret', 'token', 'url', '*.authorization', '*.cookie', '*.key', '*.secret', '*.token', 'req.headers'],
      censor: '[redacted]',
    },
  })
}
