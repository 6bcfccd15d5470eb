import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { type Db, type Sql, type Tx, unprepared } from '../../lib/sql.ts'
import { STAGED_COLUMNS } from './staged-line-rules.ts'

/** A check that is older than this is dead: its staging table is dropped. */
const DEAD_AFTER_HOURS = 12

/** A copy that did not end after this time is asked about. */
const COPY_END_MS = 200

/** Writes a part of COPY text, which may end inside a line. A promise is fulfilled when there is room for more. */
export type Write = (part: string | Uint8Array) => Promise<void> | undefined
/** Writes all lines of a snapshot. When it throws, nothing of them stays. */
export type Produce<R> = (write: Write) => Promise<R>

/** Registers a staging table for a source. Returns its name. */
export async function registerStaging(sql: Sql, source: string): Promise<string> {
  const name = `staged_${randomBytes(8).toString('hex')}`
  await sql`insert into staging (name, source) values (${name}, ${source})`
  return name
}

/**
 * Creates a registered table and copies lines into it, in one transaction: a check that dies leaves it without lines. The
 * table is created before: PostgreSQL may not start again when it is killed right after a transaction that
 * created an unlogged table is rolled back (docs/decisions/operation/2026-11-22-unlogged-tables.md).
 */
export async function copyIntoStaging<R>(sql: Sql, name: string, produce: Produce<R>): Promise<R> {
  await unprepared(sql)`
    create unlogged table ${sql(name)} (
      ord bigint generated always as identity (cache 1000), rank text collate "C", provider text not null,
      resource text not null, dimension text, unit text, currency text, pricing_tier text, price numeric,
      unreadable text, effective_from text, canonical_resource text, category text, billing_condition text,
      locator text not null) with (autovacuum_enabled = false)`
  const copied = await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    const result = await copyIn(tx, name, produce)
    // What the planner has to know; a sample of every column takes as long as comparing a hundred thousand lines.
    await unprepared(tx)`analyze ${tx(name)} (provider, resource, dimension, price)`
    return { result }
  })
  return copied.result as R
}

async function copyIn<R>(tx: Tx, name: string, produce: Produce<R>): Promise<R> {
  const target = await unprepared(tx)`copy ${tx(name)} (${tx([...STAGED_COLUMNS])}) from stdin`.writable()
  let failed: Error | undefined
  target.on('error', (error) => {
    failed = error
  })
  try {
    const result = await produce((part) => {
      if (failed) throw failed
      return target.write(part) ? undefined : drained(target)
    })
    if (failed) throw failed
    await ended(tx, target)
    return result
  } catch (error) {
    // The connection takes no other statement before it knows that the copy failed.
    target.destroy(error instanceof Error ? error : new Error(String(error)))
    throw failed ?? error
  }
}

async function drained(target: Writable): Promise<void> {
  if (!target.destroyed) await once(target, 'drain')
}

/** Ends a copy. The driver does not say that its end failed; the next statement of the transaction does. */
async function ended(tx: Tx, target: Writable): Promise<void> {
  const finished = once(target, 'finish').then(() => true)
  finished.catch(() => {})
  target.end()
  while (!(await Promise.race([finished, setTimeout(COPY_END_MS, false, { ref: false })])))
    await tx`select`.catch(unlessCopying)
}

function unlessCopying(error: unknown): void {
  if ((error as { code?: unknown }).code !== 'COPY_IN_PROGRESS') throw error
}

/** Drops a staging table. */
export async function dropStaging(db: Db, name: string): Promise<void> {
  await unprepared(db)`drop table if exists ${db(name)}, ${db(`${name}_first`)}`
  await db`delete from staging where name = ${name}`
}

/** Returns the staging tables of checks that died: of old ones, and of any of a source that no one else collects. */
export async function deadStagings(db: Db, claimedSource?: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select name from staging
    where source = ${claimedSource ?? null} or created_at < clock_timestamp() - make_interval(hours => ${DEAD_AFTER_HOURS})`
  return rows.map(({ name }) => name)
}
