import type { Instant } from '../lib/instant.ts'
import type { Db, Sql } from '../lib/sql.ts'
import type { SourceDeclaration, SourceKind } from './schema.ts'

/** How a source fares. Instants are undefined before the first of their kind. */
export type SourceState = {
  source: string
  kind: SourceKind
  format: string
  primary: boolean
  intervalSeconds: number
  declared: boolean
  nextDueAt: Instant
  lastCheckedAt?: Instant
  lastGoodAt?: Instant
  lastChangedAt?: Instant
  snapshotHash?: string
  parserVersion?: number
  /** When the snapshot at hand says something else: the start of an announced price. */
  nextChangeAt?: Instant
  etag?: string
  lastModified?: string
  fetchedUrl?: string
  failures: number
  problem?: string
  /** How long the last check took; a slow source gets a workflow of its own. */
  lastDurationMs?: number
}

const columns = (db: Db) => db`
  source, kind, format, primary_source as "primary", interval_seconds as "intervalSeconds", declared,
  next_due_at as "nextDueAt", last_checked_at as "lastCheckedAt", last_good_at as "lastGoodAt",
  last_changed_at as "lastChangedAt", snapshot_hash as "snapshotHash", parser_version as "parserVersion",
  next_change_at as "nextChangeAt", etag, last_modified as "lastModified", fetched_url as "fetchedUrl", failures, problem,
  last_duration_ms as "lastDurationMs"`

type Nullable = { [K in keyof SourceState]: SourceState[K] | null }
const present = (row: Nullable): SourceState =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as SourceState

/** Makes the declared sources known and what is no longer declared undeclared: it keeps its prices and is not checked. */
export async function declareSources(sql: Sql, declared: (SourceDeclaration & { kind: SourceKind })[]): Promise<void> {
  const rows = declared.map(({ source, kind, format, primary, intervalSeconds }) => ({
    source,
    kind,
    format,
    primary_source: primary,
    interval_seconds: intervalSeconds,
  }))
  await sql.begin(async (tx) => {
    await tx`
      insert into source as s (source, kind, format, primary_source, interval_seconds)
      select source, kind, format, primary_source, interval_seconds
      from jsonb_to_recordset(${tx.json(rows)}::jsonb)
        as d (source text, kind text, format text, primary_source boolean, interval_seconds integer)
      on conflict (source) do update
      set kind = excluded.kind, format = excluded.format, primary_source = excluded.primary_source,
          interval_seconds = excluded.interval_seconds, declared = true, next_due_at = '0001-01-01T00:00:00Z',
          snapshot_hash = case when s.format = excluded.format then s.snapshot_hash end
      where (s.kind, s.format, s.primary_source, s.interval_seconds, s.declared)
         is distinct from (excluded.kind, excluded.format, excluded.primary_source, excluded.interval_seconds, true)`
    const names = rows.map((row) => row.source)
    await tx`update source set declared = false where declared and source <> all(${names}::text[])`
  })
}

/** The declared sources that are due, the longest waiting first. */
export async function dueSources(db: Db, now: Instant): Promise<string[]> {
  const rows = await db<{ source: string }[]>`
    select source from source
    where declared and next_due_at <= ${now} and (collecting_until is null or collecting_until <= ${now})
    order by next_due_at, source`
  return rows.map((row) => row.source)
}

/** How every known source fares, undeclared ones last. */
export async function sourceStates(db: Db): Promise<SourceState[]> {
  const rows = await db<Nullable[]>`select ${columns(db)} from source order by declared desc, source`
  return rows.map(present)
}

export async function sourceState(db: Db, source: string): Promise<SourceState | undefined> {
  const [row] = await db<Nullable[]>`select ${columns(db)} from source where source = ${source}`
  return row && present(row)
}

/** Takes a source for one collection; undefined while another has it. The claim lapses by itself. */
export async function claimSource(
  sql: Sql,
  source: string,
  now: Instant,
  until: Instant,
): Promise<SourceState | undefined> {
  const [row] = await sql<Nullable[]>`
    update source set collecting_until = ${until}
    where source = ${source} and (collecting_until is null or collecting_until <= ${now})
    returning ${columns(sql)}`
  return row && present(row)
}

/** Gives a source back as it was: nothing was learned. */
export async function releaseSource(sql: Sql, source: string): Promise<void> {
  await sql`update source set collecting_until = null where source = ${source}`
}

export type FetchOutcome = 'changed' | 'unchanged' | 'quarantined' | 'failed'

export type FetchRecord = {
  source: string
  at: Instant
  outcome: FetchOutcome
  /** Whether the source itself was heard: a bundled copy says nothing about today. */
  confirmed: boolean
  nextDueAt: Instant
  durationMs: number
  snapshotHash?: string
  parserVersion?: number
  nextChangeAt?: Instant
  httpStatus?: number
  headers?: Record<string, string>
  etag?: string
  lastModified?: string
  fetchedUrl?: string
  /** What went wrong, as one sentence. */
  problem?: string
  report?: unknown
}

/** Records what a check of a source found: the line of its log, and how the source stands after it. */
export async function recordFetch(sql: Sql, record: FetchRecord): Promise<void> {
  const { source, at, outcome, problem = null } = record
  const good = outcome === 'changed' || outcome === 'unchanged'
  await sql.begin(async (tx) => {
    await tx`
      insert into source_fetch (source, at, outcome, snapshot_hash, http_status, headers, reason, report)
      values (${source}, ${at}, ${outcome}, ${record.snapshotHash ?? null}, ${record.httpStatus ?? null},
        ${record.headers ? tx.json(record.headers) : null}, ${problem},
        ${record.report === undefined ? null : tx.json(record.report as never)})`
    await tx`
      update source
      set collecting_until = null, last_checked_at = ${at}, next_due_at = ${record.nextDueAt}, problem = ${problem},
          last_duration_ms = ${Math.round(record.durationMs)}, failures = case when ${good && problem === null} then 0 else failures + 1 end
      where source = ${source}`
    if (!good) return
    await tx`
      update source
      set last_good_at = case when ${record.confirmed} then ${at} else last_good_at end,
          last_changed_at = case when ${outcome} = 'changed' then ${at} else last_changed_at end,
          snapshot_hash = ${record.snapshotHash ?? null}, parser_version = ${record.parserVersion ?? null},
          next_change_at = ${record.nextChangeAt ?? null}, etag = ${record.etag ?? null},
          last_modified = ${record.lastModified ?? null}, fetched_url = ${record.fetchedUrl ?? null}
      where source = ${source}`
  })
}

export type FetchLine = {
  at: Instant
  outcome: FetchOutcome
  snapshotHash: string | null
  httpStatus: number | null
  reason: string | null
  report: unknown
}

/** The newest checks of a source. */
export const recentFetches = (db: Db, source: string, limit = 20): Promise<FetchLine[]> =>
  db<FetchLine[]>`
    select at, outcome, snapshot_hash as "snapshotHash", http_status as "httpStatus", reason, report
    from source_fetch where source = ${source} order by at desc, fetch_id desc limit ${limit}`.then((rows) => [...rows])
