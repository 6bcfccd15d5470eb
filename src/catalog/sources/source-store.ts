import type { Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { storable } from '../../lib/text.ts'
import { RANKS, type Rank, rankingOf, type SourceDeclaration, type SourceKind } from '../schema.ts'

/** The state of a source. Instants are undefined before the first of their kind. */
export type SourceState = {
  source: string
  kind: SourceKind
  format: string
  /** Whose word it is. */
  rank: Rank
  /** Its prices are evidence alone. */
  witness: boolean
  intervalSeconds: number
  declared: boolean
  /** Since when it is not declared, and when its prices ended for that reason. */
  undeclaredAt?: Instant
  endedAt?: Instant
  nextDueAt: Instant
  lastCheckedAt?: Instant
  lastGoodAt?: Instant
  lastChangedAt?: Instant
  snapshotHash?: string
  /** What its prices follow from. Another one than `snapshotHash` after a crash between ingesting and recording. */
  ingestedHash?: string
  parserVersion?: number
  /** A person's decision needs the snapshot to be read again. */
  readAgain: boolean
  /** When the snapshot at hand says something else: the start of an announced price. */
  nextChangeAt?: Instant
  etag?: string
  lastModified?: string
  fetchedUrl?: string
  failures: number
  problem?: string
  /** How long the last check took; a slow source gets a workflow of its own. */
  lastDurationMs?: number
  /** How many processes in a row died while they read it. */
  interruptions: number
  /** A running or interrupted collection has claimed it until then. */
  collectingUntil?: Instant
}

const columns = (db: Db) => db`
  source, kind, format, (${[...RANKS]}::text[])[rank + 1] as rank, witness, interval_seconds as "intervalSeconds", declared,
  undeclared_at as "undeclaredAt", ended_at as "endedAt",
  next_due_at as "nextDueAt", last_checked_at as "lastCheckedAt", last_good_at as "lastGoodAt",
  last_changed_at as "lastChangedAt", snapshot_hash as "snapshotHash", ingested_hash as "ingestedHash", parser_version as "parserVersion",
  read_again as "readAgain",
  next_change_at as "nextChangeAt", etag, last_modified as "lastModified", fetched_url as "fetchedUrl", failures, problem,
  last_duration_ms as "lastDurationMs", interruptions, collecting_until as "collectingUntil"`

type Nullable = { [K in keyof SourceState]: SourceState[K] | null }
const present = (row: Nullable): SourceState =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as SourceState

/**
 * Records the declared sources. One that is no longer declared is not checked, and ends after a while. A witness that is
 * served from now on begins like a source of which nothing was read.
 */
export async function declareSources(sql: Sql, declared: (SourceDeclaration & { kind: SourceKind })[]): Promise<void> {
  const rows = declared.map(({ source, kind, format, primary, witness = false, intervalSeconds }) => ({
    source,
    kind,
    format,
    primary_source: primary,
    witness,
    interval_seconds: intervalSeconds,
  }))
  await sql.begin(async (tx) => {
    await tx`
      insert into source as s (source, kind, format, primary_source, witness, interval_seconds, starts_quietly)
      select source, kind, format, primary_source, witness, interval_seconds,
             exists (select from provider where activated_at is not null)
      from jsonb_to_recordset(${tx.json(rows)}::jsonb)
        as d (source text, kind text, format text, primary_source boolean, witness boolean, interval_seconds integer)
      on conflict (source) do update
      set kind = excluded.kind, format = excluded.format, primary_source = excluded.primary_source,
          witness = excluded.witness, interval_seconds = excluded.interval_seconds, declared = true,
          starts_quietly = s.starts_quietly or s.witness and not excluded.witness and excluded.starts_quietly,
          ingested_hash = case when s.witness and not excluded.witness then null else s.ingested_hash end,
          ingested_parser = case when s.witness and not excluded.witness then null else s.ingested_parser end,
          ingested_at = case when s.witness and not excluded.witness then null else s.ingested_at end,
          ingested_lines = case when s.witness and not excluded.witness then null else s.ingested_lines end,
          next_due_at = '0001-01-01T00:00:00Z',
          snapshot_hash = case when (s.format, s.witness) = (excluded.format, excluded.witness) then s.snapshot_hash end
      where (s.kind, s.format, s.primary_source, s.witness, s.interval_seconds, s.declared)
         is distinct from (excluded.kind, excluded.format, excluded.primary_source, excluded.witness,
                           excluded.interval_seconds, true)`
    await rankSources(tx, declared)
    const names = rows.map((row) => row.source)
    await tx`update source set declared = false where declared and source <> all(${names}::text[])`
  })
}

/** Records which sources decide. Those whose place changed are read again, so that the right one is served. */
async function rankSources(tx: Tx, declared: SourceDeclaration[]): Promise<void> {
  const inOrder = [...declared.filter(({ primary }) => primary), ...declared.filter(({ primary }) => !primary)]
  const rows = inOrder.map((one, position) => ({ source: one.source, position, ...rankingOf(one) }))
  await tx`
    update source s
    set rank = d.rank, speaks_for = d."speaksFor", stale_after_seconds = d."staleAfterSeconds", position = d.position,
        complete = d.complete,
        read_again = s.ingested_at is not null
    from jsonb_to_recordset(${tx.json(rows)}::jsonb)
      as d (source text, rank smallint, "speaksFor" text[], "staleAfterSeconds" integer, position integer,
            complete boolean)
    where s.source = d.source
      and (s.rank, s.speaks_for, s.stale_after_seconds, s.position, s.complete)
       is distinct from (d.rank, d."speaksFor", d."staleAfterSeconds", d.position, d.complete)`
}

/** The declared sources that are due, the longest waiting first. */
export async function dueSources(db: Db, now: Instant): Promise<string[]> {
  const rows = await db<{ source: string }[]>`
    select source from source
    where declared and next_due_at <= ${now} and (collecting_until is null or collecting_until <= ${now})
    order by next_due_at, source`
  return rows.map((row) => row.source)
}

/** The state of every known source, undeclared ones last. */
export async function sourceStates(db: Db): Promise<SourceState[]> {
  const rows = await db<Nullable[]>`select ${columns(db)} from source order by declared desc, source`
  return rows.map(present)
}

export async function sourceState(db: Db, source: string): Promise<SourceState | undefined> {
  const [row] = await db<Nullable[]>`select ${columns(db)} from source where source = ${source}`
  return row && present(row)
}

/** A source that one worker has to itself. */
export type SourceClaim = {
  id: string
  state: SourceState
  /** The claim before this one, whose process died while it read the source. */
  interrupted?: { since: Instant; snapshotHash?: string }
}

/** Claims a source for one collection. Returns undefined while another one has it. The claim lapses by itself. */
export async function claimSource(
  sql: Sql,
  { source, id, now, until }: { source: string; id: string; now: Instant; until: Instant },
): Promise<SourceClaim | undefined> {
  const [row] = await sql<(Nullable & { since: Instant | null; hash: string | null })[]>`
    update source
    set claim = ${id}, collecting_until = ${until}, reading_since = ${now},
        interruptions = interruptions + case when collecting_until is null then 0 else 1 end
    where source = ${source} and (collecting_until is null or collecting_until <= ${now})
    returning ${columns(sql)}, old.reading_since as since, old.reading_hash as hash`
  if (!row) return undefined
  const { since, hash, ...state } = row
  const interrupted = since ? { since, ...(hash && { snapshotHash: hash }) } : undefined
  return { id, state: present(state), interrupted }
}

/** Prolongs a claim. Returns false when it was lost. */
export async function renewClaim(sql: Sql, source: string, id: string, until: Instant): Promise<boolean> {
  const rows = await sql`
    update source set collecting_until = ${until} where source = ${source} and claim = ${id} returning source`
  return rows.length === 1
}

/** Records which snapshot a claimed source is being read from, in case its process dies over it. */
export async function recordReading(sql: Sql, source: string, id: string, hash: string): Promise<void> {
  await sql`update source set reading_hash = ${hash} where source = ${source} and claim = ${id}`
}

/** Gives a claimed source back as it was: nothing was learned. */
export async function releaseSource(sql: Sql, source: string, id: string): Promise<void> {
  await sql`
    update source set claim = null, collecting_until = null, reading_since = null, reading_hash = null
    where source = ${source} and claim = ${id}`
}

export type FetchOutcome = 'changed' | 'unchanged' | 'quarantined' | 'failed'

export type FetchRecord = {
  source: string
  claimId: string
  /** The process before this one died over it, and it was not read again. */
  interrupted?: boolean
  at: Instant
  outcome: FetchOutcome
  /** Whether the source itself was read well: a bundled copy says nothing about today. */
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

/** Whether a source could be read, and what it said was taken in. */
const isGood = ({ outcome }: Pick<FetchRecord, 'outcome'>): boolean => outcome === 'changed' || outcome === 'unchanged'

/**
 * Records the outcome of a collection: the line of the source's log, its new state, and the end of the claim. Texts from
 * outside are made storable here.
 * @returns false when the claim was lost: another worker records what it found, and nothing is recorded here
 */
export async function recordOutcome(tx: Tx, given: FetchRecord): Promise<boolean> {
  const record = storable(given)
  const { source, at, outcome, problem = null } = record
  const good = isGood(record)
  const claimed = await tx`
    update source
    set claim = null, collecting_until = null, reading_since = null, reading_hash = null,
        interruptions = case when ${record.interrupted ?? false} then interruptions else 0 end,
        last_checked_at = ${at}, next_due_at = ${record.nextDueAt}, problem = ${problem},
        last_duration_ms = ${Math.round(record.durationMs)},
        failures = case when ${good && problem === null} then 0 else failures + 1 end,
        failing_since = case when ${good && problem === null} then null else coalesce(failing_since, ${at}) end
    where source = ${source} and claim = ${record.claimId}
    returning source`
  if (claimed.length === 0) return false
  await tx`
    insert into source_fetch (source, at, outcome, snapshot_hash, http_status, headers, reason, report)
    values (${source}, ${at}, ${outcome}, ${record.snapshotHash ?? null}, ${record.httpStatus ?? null},
      ${record.headers ? tx.json(record.headers) : null}, ${problem},
      ${record.report === undefined ? null : tx.json(record.report as never)})`
  if (!good) return true
  await tx`
    update source
    set last_good_at = case when ${record.confirmed} then ${at} else last_good_at end,
        last_changed_at = case when ${outcome} = 'changed' then ${at} else last_changed_at end,
        snapshot_hash = ${record.snapshotHash ?? null}, parser_version = ${record.parserVersion ?? null},
        next_change_at = ${record.nextChangeAt ?? null}, etag = ${record.etag ?? null},
        last_modified = ${record.lastModified ?? null}, fetched_url = ${record.fetchedUrl ?? null}
    where source = ${source}`
  return true
}

/** A source that cannot be read: why, since when, when it last could, and when it is tried again. */
export type FailingSource = {
  source: string
  problem: string
  failingSince: Instant
  lastGoodAt: Instant | null
  nextDueAt: Instant
}

/** Returns the declared sources that could not be read since an instant or longer, those failing longest first. */
export const failingSources = (db: Db, since: Instant): Promise<FailingSource[]> =>
  db<FailingSource[]>`
    select source, problem, failing_since as "failingSince", last_good_at as "lastGoodAt", next_due_at as "nextDueAt"
    from source where declared and failing_since <= ${since} and problem is not null
    order by failing_since, source`.then((rows) => [...rows])

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

/** What a parser left out of a snapshot, with an example. */
export type IgnoredEntries = { reason: string; count: number; example: string }

/** What was left out of the newest answer of each source that was read. */
export async function lastIgnored(db: Db): Promise<Map<string, IgnoredEntries[]>> {
  const rows = await db<{ source: string; ignored: IgnoredEntries[] }[]>`
    select s.source, f.ignored
    from source s
    cross join lateral (
      select report->'ignored' as ignored from source_fetch f
      where f.source = s.source and jsonb_typeof(report->'ignored') = 'array'
      order by at desc, fetch_id desc limit 1) f`
  return new Map(rows.map(({ source, ignored }) => [source, ignored]))
}
