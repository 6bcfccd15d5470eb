import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { STAGED_COLUMNS } from './staged-line-rules.ts'

/** A check that is older than this is dead: its staging table is dropped. */
const DEAD_AFTER_HOURS = 12
/** COPY answers soon after its end; the driver does not notice an error that comes after it. */
const COPY_END_TIMEOUT_MS = 60_000

/** Chunks of COPY text. A chunk ends where a line does or not. */
export type CopyText = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/** Registers a staging table for a source. Returns its name. */
export async function registerStaging(sql: Sql, source: string): Promise<string> {
  const name = `staged_${randomBytes(8).toString('hex')}`
  await sql`insert into staging (name, source) values (${name}, ${source})`
  return name
}

/** Creates a registered table and copies lines into it, in one transaction: a check that dies leaves it without lines. */
export async function copyIntoStaging(sql: Sql, name: string, text: CopyText): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`
      create unlogged table ${tx(name)} (
        ord bigint generated always as identity (cache 1000), rank text collate "C", provider text not null,
        resource text not null, dimension text, unit text, currency text, pricing_tier text, price numeric,
        unreadable text, effective_from text, canonical_resource text, category text, billing_condition text,
        locator text not null) with (autovacuum_enabled = false)`
    await copyIn(tx, name, text)
    await tx`analyze ${tx(name)}`
  })
}

async function copyIn(tx: Tx, name: string, text: CopyText): Promise<void> {
  const target = await tx`copy ${tx(name)} (${tx([...STAGED_COLUMNS])}) from stdin`.writable()
  let failed: Error | undefined
  target.on('error', (error) => {
    failed = error
  })
  for await (const chunk of text) {
    if (failed) throw failed
    if (!target.write(chunk)) await drained(target)
  }
  if (failed) throw failed
  await ended(target)
}

async function drained(target: Writable): Promise<void> {
  if (target.destroyed) return
  await once(target, 'drain')
}

function ended(target: Writable): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('COPY did not end')), COPY_END_TIMEOUT_MS)
    const end = (error?: Error | null) => {
      clearTimeout(timer)
      if (error) reject(error)
      else resolve()
    }
    target.once('error', end)
    target.end(() => end())
  })
}

/** Drops a staging table. */
export async function dropStaging(db: Db, name: string): Promise<void> {
  await db`drop table if exists ${db(name)}`
  await db`drop table if exists ${db(`${name}_first`)}`
  await db`delete from staging where name = ${name}`
}

/** Returns the staging tables of checks that died: of old ones, and of any of a source that nobody else collects. */
export async function deadStagings(db: Db, claimedSource?: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select name from staging
    where source = ${claimedSource ?? null} or created_at < clock_timestamp() - make_interval(hours => ${DEAD_AFTER_HOURS})`
  return rows.map(({ name }) => name)
}
