import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'
import { withoutSecrets } from './text/secret-forms-rules.ts'

export type Log = Logger

/**
 * Structured logs on stderr: JSON lines, or for a person at a terminal one short line each. What could hold a secret is cut
 * out by its name, and what looks like one by its form.
 * @param to where lines go instead, for tests
 */
export function createLog(level: string, format?: 'json' | 'text', to?: DestinationStream): Log {
  const terminal = format === undefined ? process.stderr.isTTY === true : format === 'text'
  const options = {
    level,
    ...(terminal && { base: null }),
    serializers: { err: (error: unknown) => safeError(error, !terminal || STACK_LEVELS.has(level)) },
    hooks: { streamWrite: withoutSecrets },
    redact: {
      paths: [...SECRET_NAMES, ...SECRET_NAMES.map((name) => `*.${name}`), 'url', 'req.headers'],
      censor: '[redacted]',
    },
  }
  const short = { destination: 2, sync: true, translateTime: 'HH:MM:ss', hideObject: false, singleLine: true }
  if (to) return pino(options, to)
  return pino(options, terminal ? pretty(short) : pino.destination(2))
}

const SECRET_NAMES = ['authorization', 'cookie', 'key', 'password', 'secret', 'session', 'sessionToken', 'token']

const STACK_LEVELS = new Set(['debug', 'trace'])

/** Whether a person asked for stacks. A log in JSON has them always. */
export const showsStacks = ({ LOG_LEVEL }: Record<string, string | undefined>): boolean =>
  STACK_LEVELS.has(LOG_LEVEL ?? '')

/** What a log may say of an error: postgres.js hangs the statement and its parameters on its errors. */
function safeError(error: unknown, withStack: boolean): unknown {
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    name,
    message,
    ...(withStack && { stack }),
    ...(cause !== undefined && { cause: safeError(cause, withStack) }),
  }
}
