import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import {
  closedUpTo,
  installationId,
  newestTimeline,
  providerChanges,
  rowChanges,
  type StatusChange,
} from '../changes-store.ts'
import { beginOrigin, type LogState, lockLog, logOrigins, saveState } from '../log-store.ts'
import { type LogNames, nextOrigin } from '../origin-rules.ts'
import { leafHash } from './hash-rules.ts'
import { bundle, inLogOrder, type Leaf, leafText } from './leaf-rules.ts'
import { edgeOf, grow, TILE_WIDTH } from './tile-rules.ts'
import { type Entries, readEntries, readTiles, writeEntries, writeTiles } from './tile-store.ts'

/** Numbers of statuses that one transaction reads: a few megabytes of leaves. */
const NUMBERS_AT_ONCE = 20_000

/** What one step appended, and whether everything that is final has a leaf now. */
export type AppendResult = { leaves: number; size: number; done: boolean }

/**
 * Appends the leaves of what was published after the last one, in the order of publications: up to what is final, a part of
 * it where that is much. Where the history goes on after a restore, or under another name, a leaf says so first.
 * @throws OperatorError when the log is to be called as it was called before
 */
export async function appendLeaves(sql: Sql, names: LogNames, numbersAtOnce = NUMBERS_AT_ONCE): Promise<AppendResult> {
  const appended = await sql.begin(async (tx) => {
    const state = await lockLog(tx)
    const begun = await beginOriginWhereDue(tx, state, names)
    const closed = await closedUpTo(tx)
    const upTo = Math.min(closed.seq, state.afterSeq + numbersAtOnce)
    const done = upTo === closed.seq
    const rows = await rowChanges(tx, state.afterSeq, upTo)
    const afterAt = done ? closed.at : (rows.at(-1)?.at ?? state.afterAt)
    const changes = inLogOrder(await providerChanges(tx, state.afterAt, afterAt), rows)
    const leaves = [...begun.leaves, ...changes]
    await write(tx, state, leaves)
    const size = state.size + leaves.length
    await saveState(tx, { size, afterSeq: upTo, afterAt, timeline: begun.timeline, origin: begun.origin })
    return { leaves: leaves.length, size, done }
  })
  return appended as AppendResult
}

type OriginStart = { leaves: Leaf[]; timeline: string; origin: string }

async function beginOriginWhereDue(tx: Tx, state: LogState, names: LogNames): Promise<OriginStart> {
  const timeline = await newestTimeline(tx)
  const origins = await logOrigins(tx)
  const current = origins.at(-1)
  const next = nextOrigin({ names, installation: await installationId(tx), state, timeline, current })
  if (!next) return { leaves: [], timeline: timeline.id, origin: current!.origin }
  if (origins.some(({ origin }) => origin === next.origin))
    throw new OperatorError(
      `The publication log was called ${next.origin} before, and checkpoints of that name end. Set PRICETAPE_LOG_ORIGIN to a name it never had.`,
    )
  const since = next.reason === 'restored' ? timeline.startedAt : await databaseNow(tx)
  await beginOrigin(tx, { ...next, since })
  const { origin, reason, lostAfter, lostUntil } = next
  const leaf: Leaf = {
    kind: 'origin',
    at: since,
    origin,
    reason,
    previousOrigin: current?.origin,
    lostAfter: lostAfter ?? undefined,
    lostUntil: lostUntil ?? undefined,
  }
  return { leaves: [leaf], timeline: timeline.id, origin }
}

/** Writes leaves behind the last one: their texts, and the tiles over them. */
async function write(tx: Tx, { size, afterSeq }: LogState, leaves: (Leaf | StatusChange)[]): Promise<void> {
  if (leaves.length === 0) return
  const texts = leaves.map((leaf) => Buffer.from(leafText(leaf)))
  const edge = await readTiles(tx, edgeOf(size))
  await writeTiles(tx, grow(size, edge, Buffer.concat(texts.map(leafHash))))
  const written: Entries[] = []
  let seq = afterSeq
  for (let from = 0; from < leaves.length; ) {
    const tile = Math.floor((size + from) / TILE_WIDTH)
    const to = Math.min(leaves.length, (tile + 1) * TILE_WIDTH - size)
    const before = from === 0 && size % TILE_WIDTH > 0 ? await readEntries(tx, tile) : undefined
    const entries = bundle(texts.slice(from, to))
    written.push({
      tile,
      afterSeq: before?.afterSeq ?? seq,
      entries: before ? Buffer.concat([before.entries, entries]) : entries,
    })
    for (const leaf of leaves.slice(from, to)) if ('seq' in leaf) seq = leaf.seq
    from = to
  }
  await writeEntries(tx, written)
}
