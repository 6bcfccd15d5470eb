import { AppError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'
import { sharedReading } from '../lib/shared-reading.ts'
import type { Sql } from '../lib/sql.ts'
import { readHealth } from './read-health.ts'
import type { Health } from './schema.ts'

/** Health is read once in this time, however many requests come. */
const READ_EVERY_MS = SECOND
const RETRY_SECONDS = 5

export type HealthAnswer = { status: number; headers: Record<string, string>; body: object }

/** Returns the health of an installation as requests read it: those that come together share one reading. */
export const sharedHealth = (sql: Sql): (() => Promise<Health>) => sharedReading(READ_EVERY_MS, () => readHealth(sql))

/** Returns the answer to a probe that wants to know whether everything works, or whether reads can be served. */
export function healthAnswer(health: Health, wanted: 'ready' | 'reads'): HealthAnswer {
  const { ready, reads, reasons, degraded } = health
  const body = { status: ready ? 'ready' : 'not_ready', reads, reasons, degraded }
  if (health[wanted]) return { status: 200, headers: {}, body }
  return unavailable(reasons.map(({ message }) => message).join(' '), body)
}

/** Returns the answer to a probe while something does not work, in the one shape of errors. */
export function unavailable(message: string, more: object = {}): HealthAnswer {
  const error = new AppError('unavailable', message)
  const headers = { 'retry-after': String(RETRY_SECONDS) }
  return { status: error.status, headers, body: { ...error.toBody(), ...more } }
}
