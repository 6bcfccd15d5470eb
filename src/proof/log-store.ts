import type { Instant } from '../lib/instant.ts'
import type { Db, Tx } from '../lib/sql.ts'
import type { LogOrigin } from './schema.ts'

/** Where the log ends. */
export type LogState = {
  size: number
  /** The number of the last status, and the instant of the last provider's status, that have a leaf. */
  afterSeq: number
  afterAt: Instant
  timeline?: string
  origin?: string
}

type Row = { size: string; afterSeq: string; afterAt: Instant; timeline: string | null; origin: string | null }

const stateOf = ({ size, afterSeq, afterAt, timeline, origin }: Row): LogState => ({
  size: Number(size),
  afterSeq: Number(afterSeq),
  afterAt,
  timeline: timeline ?? undefined,
  origin: origin ?? undefined,
})

const selectState = (db: Db) => db`
  select size, after_seq as "afterSeq", after_at as "afterAt", timeline_id as timeline, origin from log_state`

/** Returns where the log ends. */
export async function logState(db: Db): Promise<LogState> {
  const [row] = await db<Row[]>`${selectState(db)}`
  return stateOf(row!)
}

/** Returns where the log ends, and has others who write it wait until the transaction ends. */
export async function lockLog(tx: Tx): Promise<LogState> {
  const [row] = await tx<Row[]>`${selectState(tx)} for update`
  return stateOf(row!)
}

export async function saveState(tx: Tx, { size, afterSeq, afterAt, timeline, origin }: LogState): Promise<void> {
  await tx`
    update log_state
    set size = ${size}, after_seq = ${afterSeq}, after_at = ${afterAt}, timeline_id = ${timeline ?? null},
        origin = ${origin ?? null}`
}

type Nullable = Omit<LogOrigin, 'lastSize' | 'lostAfter' | 'lostUntil' | 'firstSize'> & {
  firstSize: string
  lastSize: string | null
  lostAfter: Instant | null
  lostUntil: Instant | null
}

/** Returns every origin the log ever had, the first one first. */
export async function logOrigins(db: Db): Promise<LogOrigin[]> {
  const rows = await db<Nullable[]>`
    select origin, path, reason, since, first_size as "firstSize", last_size as "lastSize", lost_after as "lostAfter",
           lost_until as "lostUntil"
    from log_origin order by number`
  return rows.map(({ firstSize, lastSize, ...row }) => ({
    ...row,
    firstSize: Number(firstSize),
    lastSize: lastSize === null ? null : Number(lastSize),
  }))
}

/** Ends the origin before, where there is one, and begins another. */
export async function beginOrigin(tx: Tx, begun: Omit<LogOrigin, 'lastSize'>): Promise<void> {
  const { origin, path, reason, since, firstSize, lostAfter, lostUntil } = begun
  await tx`update log_origin set last_size = ${firstSize} where last_size is null`
  await tx`
    insert into log_origin (origin, path, reason, since, first_size, lost_after, lost_until)
    values (${origin}, ${path}, ${reason}, ${since}, ${firstSize}, ${lostAfter}, ${lostUntil})`
}

export type StoredCheckpoint = { origin: string; size: number; at: Instant; note: string }

type CheckpointRow = Omit<StoredCheckpoint, 'size'> & { size: string }

const selectCheckpoints = (db: Db) => db`
  select c.origin, c.size, c.at, c.note from log_checkpoint c join log_origin o using (origin)`
const checkpointOf = (row: CheckpointRow): StoredCheckpoint => ({ ...row, size: Number(row.size) })

/** Returns the newest checkpoint there is, or of the newest origin with a path. */
export async function newestCheckpoint(db: Db, path?: string): Promise<StoredCheckpoint | undefined> {
  const [row] = await db<CheckpointRow[]>`
    ${selectCheckpoints(db)}
    where ${path ?? null}::text is null or o.path = ${path ?? null}
    order by o.number desc, c.size desc limit 1`
  return row && checkpointOf(row)
}

/** Keeps a checkpoint; one of the same size is replaced, for its signatures. */
export async function saveCheckpoint(tx: Tx, { origin, size, note }: Omit<StoredCheckpoint, 'at'>): Promise<void> {
  await tx`
    insert into log_checkpoint (origin, size, at, note) values (${origin}, ${size}, clock_timestamp(), ${note})
    on conflict (origin, size) do update set at = excluded.at, note = excluded.note`
}

/** Returns the checkpoints that are kept, those of each origin by size. */
export async function keptCheckpoints(db: Db): Promise<StoredCheckpoint[]> {
  const rows = await db<CheckpointRow[]>`${selectCheckpoints(db)} order by o.number, c.size`
  return rows.map(checkpointOf)
}
