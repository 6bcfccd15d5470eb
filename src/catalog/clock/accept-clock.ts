import { OperatorError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { forgetAnchors, readClocks, saveAnchor } from './clock-anchor-store.ts'
import { clockMessage, mayStamp } from './clock-rules.ts'

/**
 * Trusts the clocks as they are now, after a jump that was right. Returns the time of the database's clock.
 * @throws OperatorError when no publication may be stamped with the clocks as they are
 */
export async function acceptClock(sql: Sql): Promise<Instant> {
  await forgetAnchors(sql)
  const { reading, verdict } = await readClocks(sql)
  if (!mayStamp(verdict)) throw new OperatorError(`This cannot be accepted: ${clockMessage(verdict)}`)
  await saveAnchor(sql, reading)
  return reading.database
}
