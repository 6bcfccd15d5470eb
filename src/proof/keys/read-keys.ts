import { earliest, type Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { verifierOf } from '../checkpoint-rules.ts'
import { logOrigins } from '../log-store.ts'
import { signedLog } from '../newest-log.ts'
import type { LogKeys, LogOrigin, PublicLogKey } from '../schema.ts'
import { type LogKey, logKeys } from './key-store.ts'

/** Returns the verifiers of the log, the newest first, and every origin it had. @throws AppError unavailable before the first checkpoint */
export async function readKeys(sql: Sql): Promise<LogKeys> {
  const { origin } = await signedLog(sql)
  const origins = await logOrigins(sql)
  const keys = await logKeys(sql)
  const shown = origins.map((one, n) =>
    keys.filter((key) => mayHaveSigned(key, one)).map((key) => shownKey(key, one, origins[n + 1]?.since)),
  )
  return { origin, keys: shown.reverse().flat(), origins }
}

/** Whether a key signed, or signs, while the log had an origin. */
const mayHaveSigned = ({ isOver, firstSize, lastSize }: LogKey, origin: LogOrigin): boolean =>
  !(isOver && (lastSize ?? 0) <= origin.firstSize) && (origin.lastSize === null || firstSize <= origin.lastSize)

function shownKey(key: LogKey, { origin, lastSize }: LogOrigin, ended: Instant | undefined): PublicLogKey {
  const until = ended && key.signsUntil ? earliest(ended, key.signsUntil) : (ended ?? key.signsUntil)
  const isOver = lastSize !== null || key.isOver
  return {
    verifier: verifierOf(origin, key.publicKey),
    origin,
    since: key.since,
    until: until ?? null,
    lastSize: isOver ? Math.min(key.lastSize ?? 0, lastSize ?? Number.MAX_SAFE_INTEGER) : null,
  }
}
