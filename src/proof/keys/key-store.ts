import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'

/** A key of the log. `sealed` is its private half, absent once it signs no more. */
export type LogKey = {
  publicKey: Buffer
  sealed?: Buffer
  since: Instant
  /** Until when a replaced key signs beside its successor. */
  signsUntil?: Instant
  /** Whether that is over. */
  isOver: boolean
  /** Leaves there were when it was made, and in the last tree that it signed. */
  firstSize: number
  lastSize?: number
}

type Row = {
  publicKey: Buffer
  sealed: Buffer | null
  since: Instant
  signsUntil: Instant | null
  isOver: boolean
  firstSize: string
  lastSize: string | null
}

/** Returns every key, the newest first. */
export async function logKeys(db: Db): Promise<LogKey[]> {
  const rows = await db<Row[]>`
    select public_key as "publicKey", sealed, since, signs_until as "signsUntil",
           coalesce(signs_until <= clock_timestamp(), false) as "isOver", first_size as "firstSize",
           last_size as "lastSize"
    from log_key order by number desc`
  return rows.map(({ sealed, signsUntil, firstSize, lastSize, ...row }) => ({
    ...row,
    firstSize: Number(firstSize),
    sealed: sealed ?? undefined,
    signsUntil: signsUntil ?? undefined,
    lastSize: lastSize === null ? undefined : Number(lastSize),
  }))
}

export async function insertKey(tx: Tx, key: { publicKey: Buffer; sealed: Buffer; firstSize: number }): Promise<void> {
  await tx`
    insert into log_key (public_key, sealed, first_size) values (${key.publicKey}, ${key.sealed}, ${key.firstSize})`
}

/**
 * Ends the keys there are: they sign for this long beside the key that comes, those replaced before as long as was said. The
 * column rounds to milliseconds: rounded up, a key replaced at once would sign once more.
 */
export async function replaceKeys(tx: Tx, signForMs: number): Promise<void> {
  await tx`
    update log_key
    set signs_until = least(signs_until, date_trunc('milliseconds', clock_timestamp()) + ${`${signForMs} ms`}::interval)
    where sealed is not null`
}

/** Deletes the private halves of keys that sign no more. */
export async function forgetEndedKeys(tx: Tx): Promise<void> {
  await tx`update log_key set sealed = null where signs_until <= clock_timestamp() and sealed is not null`
}

/** Records that these keys signed a tree of this size. */
export async function recordSigned(tx: Tx, publicKeys: Buffer[], size: number): Promise<void> {
  await tx`update log_key set last_size = ${size} where public_key in ${tx(publicKeys)}`
}

export async function replaceSealed(
  tx: Tx,
  { publicKey, sealed }: { publicKey: Buffer; sealed: Buffer },
): Promise<void> {
  await tx`update log_key set sealed = ${sealed} where public_key = ${publicKey}`
}
