import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import { LOGGED_STATUSES, type ProviderLeaf, type RowLeaf } from './tree/leaf-rules.ts'

/** Returns up to where the history is final: nothing is recorded at or before it any more. */
export async function closedUpTo(db: Db): Promise<{ seq: number; at: Instant }> {
  const [clock] = await db<{ seq: string; at: Instant }[]>`
    select last_seq as seq, last_stamp as at from publication_clock`
  return { seq: Number(clock!.seq), at: clock!.at }
}

export type StatusChange = RowLeaf & { seq: number }

/** Returns the published and ended publications of rows, by the numbers of their statuses: after one, up to another. */
export async function rowChanges(db: Db, after: number, upTo: number): Promise<StatusChange[]> {
  const rows = await db<{ seq: string; at: Instant; contentHash: string; status: RowLeaf['status'] }[]>`
    select seq, at, content_hash as "contentHash", status from price_status
    where seq > ${after} and seq <= ${upTo} and status = any(${LOGGED_STATUSES as unknown as string[]}::text[])
    order by seq`
  return rows.map(({ seq, ...row }) => ({ kind: 'row', seq: Number(seq), ...row }))
}

/** Returns what providers became, after one instant and up to another. */
export async function providerChanges(db: Db, after: Instant, upTo: Instant): Promise<ProviderLeaf[]> {
  const rows = await db<Omit<ProviderLeaf, 'kind'>[]>`
    select at, provider, status from provider_status
    where at > ${after} and at <= ${upTo} order by at, provider collate "C"`
  return rows.map((row) => ({ kind: 'provider', ...row }))
}

export type Timeline = {
  id: string
  isFirst: boolean
  startedAt: Instant
  lostAfter: Instant | null
  lostUntil: Instant | null
}

/** Returns the timeline that the history is on. */
export async function newestTimeline(db: Db): Promise<Timeline> {
  const [row] = await db<Timeline[]>`
    select timeline_id as id, timeline = (select min(timeline) from history_timeline) as "isFirst", started_at as "startedAt", lost_after as "lostAfter", lost_until as "lostUntil"
    from history_timeline order by timeline desc limit 1`
  return row!
}

/** Returns the id of the installation that this database belongs to, which its first start makes. */
export async function installationId(db: Db): Promise<string> {
  const [row] = await db<{ id: string }[]>`select installation_id as id from installation`
  return row?.id ?? 'new'
}

/** Returns every status of providers that has a leaf, of a log that ends at this instant. */
export const loggedProviderChanges = (db: Db, upTo: Instant): Promise<ProviderLeaf[]> =>
  providerChanges(db, '0001-01-01T00:00:00.000Z' as Instant, upTo)

/** Returns which of these rows have any status. */
export async function rowsWithStatus(db: Db, hashes: string[]): Promise<Set<string>> {
  const rows = await db<{ hash: string }[]>`
    select distinct content_hash as hash from price_status where content_hash = any(${hashes}::text[])`
  return new Set(rows.map(({ hash }) => hash))
}
