import type { Running } from '../../embedded/data-folder.ts'
import type { Config } from '../../lib/config.ts'
import type { Instant } from '../../lib/instant.ts'
import { connect } from '../../lib/sql.ts'
import { readHealth } from '../../monitoring/read-health.ts'
import type { Health } from '../../monitoring/schema.ts'

/** Reads the health of the installation on a database: what /readyz says too. */
export async function healthOfDatabase(url: string, options: { startedAt?: Instant } = {}): Promise<Health> {
  const sql = connect(url, { max: 2 })
  try {
    return await readHealth(sql, options)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Reads the health of the installation that runs; undefined when none is known. */
export async function healthOfRunning({ databaseUrl }: Config, running?: Running): Promise<Health | undefined> {
  const url = databaseUrl ?? running?.databaseUrl
  if (!url) return undefined
  return healthOfDatabase(url, { startedAt: running?.startedAt as Instant | undefined })
}

/** What does not work and what is worth knowing, a line each. */
export const healthLines = ({ reasons, degraded }: Health): string[] => [
  ...reasons.map(({ message }) => `Not ready: ${message}`),
  ...degraded.map(({ message }) => `Note: ${message}`),
]
