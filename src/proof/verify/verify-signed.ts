import type { Sql } from '../../lib/sql.ts'
import { judgeSignature, readCheckpoint, type SignedCheckpoint } from '../checkpoint-rules.ts'
import { logKeys } from '../keys/key-store.ts'
import { keptCheckpoints, logOrigins, logState, type StoredCheckpoint } from '../log-store.ts'
import { storedRoot } from '../tree/stored-hashes.ts'
import { MissingHash } from '../tree/tile-rules.ts'
import type { Finding } from './verify-rules.ts'

/** Returns the root of the tiles for a size; undefined where they do not reach it. */
async function rootOf(sql: Sql, size: number): Promise<Buffer | undefined> {
  return storedRoot(sql, size).catch((error: unknown) => {
    if (error instanceof MissingHash) return undefined
    throw error
  })
}

const fits = async (sql: Sql, { size, root }: SignedCheckpoint): Promise<boolean> =>
  (await rootOf(sql, size))?.equals(root) ?? false

/** Compares the tree with the checkpoints that are kept: the newest, and where it does not fit, the last that does. */
export async function verifySigned(sql: Sql): Promise<Finding[]> {
  const kept = (await keptCheckpoints(sql)).sort((a, b) => a.size - b.size)
  const newest = kept.at(-1)
  if (!newest) return []
  const publicKeys = (await logKeys(sql)).map(({ publicKey }) => publicKey)
  const read = readCheckpoint(newest.note)
  if (!read || !publicKeys.some((key) => judgeSignature(read, key) === 'signed'))
    return [
      {
        what: 'checkpoint_differs',
        message: `The checkpoint of ${newest.size} leaves is not signed by a key of the log.`,
      },
    ]
  if (await fits(sql, read)) return []
  const last = await lastThatFits(sql, kept)
  const before = last ? `the ${last.size} leaves of ${last.at} fit theirs` : 'no earlier one fits'
  return [
    {
      what: 'checkpoint_differs',
      message: `The tree is not the one that was signed at ${newest.at} with ${newest.size} leaves: leaves were changed and hashed again; ${before}.`,
    },
  ]
}

/** Finds the last checkpoint that the tree fits: up to the first change all do, and none after it. */
async function lastThatFits(sql: Sql, kept: StoredCheckpoint[]): Promise<StoredCheckpoint | undefined> {
  let [fit, misfit] = [-1, kept.length - 1]
  while (misfit - fit > 1) {
    const middle = Math.floor((fit + misfit) / 2)
    const read = readCheckpoint(kept[middle]!.note)
    if (read && (await fits(sql, read))) fit = middle
    else misfit = middle
  }
  return kept[fit]
}

/** What a checkpoint that someone kept says of this database. */
export type KeptVerdict =
  | { fits: true; origin: string; size: number; message: string }
  | {
      fits: false
      what: 'unreadable' | 'other_log' | 'unknown_key' | 'wrong_signature' | 'lost' | 'log_shorter' | 'other_tree'
      message: string
    }

/** Compares a checkpoint that someone kept with the log of this database. */
export async function verifyCheckpoint(sql: Sql, note: string): Promise<KeptVerdict> {
  const read = readCheckpoint(note)
  if (!read)
    return {
      fits: false,
      what: 'unreadable',
      message: 'This is not a checkpoint: a file as /v1/log/checkpoint serves it is.',
    }
  const { origin, size } = read
  const origins = await logOrigins(sql)
  const its = origins.find((one) => one.origin === origin)
  if (!its) {
    const ours = origins.at(-1)?.origin ?? 'without a name yet'
    return {
      fits: false,
      what: 'other_log',
      message: `The checkpoint is of the log ${origin}, and this one is ${ours}: another installation, or a database from before the log had that name.`,
    }
  }
  const verdicts = (await logKeys(sql)).map(({ publicKey }) => judgeSignature(read, publicKey))
  if (verdicts.includes('wrong'))
    return {
      fits: false,
      what: 'wrong_signature',
      message: 'The signature does not fit: the checkpoint was changed after it was signed.',
    }
  if (!verdicts.includes('signed'))
    return {
      fits: false,
      what: 'unknown_key',
      message: `No key of this log signed the checkpoint. Either it is not of this log, or the key was made after the backup that this database was restored from.`,
    }
  const { size: now } = await logState(sql)
  if (its.lastSize !== null && size > its.lastSize) {
    const { lostAfter, lostUntil, since } = origins[origins.indexOf(its) + 1]!
    const lost =
      lostAfter && lostUntil
        ? `what was published after ${lostAfter} and until ${lostUntil} was lost`
        : 'nothing that can have been read was lost'
    return {
      fits: false,
      what: 'lost',
      message: `The log ${origin} ended at ${its.lastSize} when the database was restored at ${since}, and the checkpoint is for ${size}: ${lost}. The leaves in between are no longer here; that alone is not tampering.`,
    }
  }
  if (size > now)
    return {
      fits: false,
      what: 'log_shorter',
      message: `This database's log ends at ${now}, and the checkpoint is for ${size}. The database is from before the checkpoint: restored from a backup (then say so with npx pricetape restored, before anything is published), or the log was cut.`,
    }
  if (!(await fits(sql, read)))
    return {
      fits: false,
      what: 'other_tree',
      message: `The first ${size} leaves of this log are not those of the checkpoint: history was rewritten. npx pricetape verify without --checkpoint compares rows, leaves and tiles.`,
    }
  return {
    fits: true,
    origin,
    size,
    message: `The log begins with the ${size} leaves of the checkpoint, and has ${now} now.`,
  }
}
