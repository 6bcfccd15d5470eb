import type { Significance } from '../../events/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { Classification, DocumentState, ExplainedWords, KnownVersion, OpenVersion } from '../schema.ts'
import type { DerivedText } from './version-store.ts'

/** One version with its text and where it came from. */
export type Version = DerivedText & {
  versionId: string
  status: string
  firstSeenAt: Instant
  recordedAt?: Instant
  classification?: Classification
  reasons: string[]
}

/** Everything known of a source's document that decides about the next text. */
export async function documentState(db: Db, source: string): Promise<DocumentState> {
  const rows = await db<(KnownVersion & OpenVersion & { event: boolean })[]>`
    select version_id as "versionId", status, normal_hash as "normalHash", recorded_at as "recordedAt",
           first_seen_at as "firstSeenAt", held_at as "heldAt", doubt_since as "doubtSince", reasons,
           lasts_since::text as "lastsSince",
           event_id is not null as event,
           returns_to is not null as returns,
           recorded_at is not null and (event_id is not null or previous_version is null) as announced
    from document_version where source = ${source} order by first_seen_at, version_id`
  const absent = <T>(value: T | null | undefined) => value ?? undefined
  const known = rows.map((row) => ({
    ...row,
    recordedAt: absent(row.recordedAt),
    heldAt: absent(row.heldAt),
    doubtSince: absent(row.doubtSince),
    lastsSince: absent(row.lastsSince),
  }))
  const inForce = known.filter((row) => row.recordedAt !== undefined)
  return {
    current: inForce.reduce<KnownVersion | undefined>(
      (newest, row) => (newest && newest.recordedAt! > row.recordedAt! ? newest : row),
      undefined,
    ),
    open: known.find((row) => row.status === 'candidate' || row.status === 'held'),
    known,
    returnsPublished: known.filter((row) => row.event && row.returns).length,
  }
}

export async function versionById(db: Db, versionId: string): Promise<Version | undefined> {
  const [row] = await db<Version[]>`
    select version_id as "versionId", source, status, first_seen_at as "firstSeenAt", recorded_at as "recordedAt",
           snapshot_hash as "snapshotHash", extractor, markdown, text_hash as "textHash", normal_hash as "normalHash",
           effective_date::text as "effectiveDate", updated_date::text as "updatedDate",
           classification, reasons
    from document_version where version_id = ${versionId}`
  if (!row) return undefined
  return {
    ...row,
    recordedAt: row.recordedAt ?? undefined,
    effectiveDate: row.effectiveDate ?? undefined,
    updatedDate: row.updatedDate ?? undefined,
    classification: row.classification ?? undefined,
  }
}

/** Characters of a text that hold what stands above its title. */
const BEGINNING = 4_000
/** What a site shows above its documents may have gone from their newest texts already. */
const NEWEST_VERSIONS = 3

/** How the newest texts of a provider's other documents on the same host begin. */
export async function beginningsOfSite(db: Db, source: string): Promise<string[]> {
  const rows = await db<{ beginning: string }[]>`
    select left(v.markdown, ${BEGINNING}) as beginning
    from document d
    join document other using (provider)
    cross join lateral (
      select markdown from document_version where source = other.source and status <> 'rejected'
      order by first_seen_at desc limit ${NEWEST_VERSIONS}
    ) v
    where d.source = ${source} and other.source <> d.source
      and split_part(other.url, '/', 3) = split_part(d.url, '/', 3)`
  return [...new Set(rows.map(({ beginning }) => beginning))]
}

export type DocumentEntry = { doc: string; url: string; title: string; source: string; updatedAt?: Instant }

/** A provider's documents as the catalog lists them; `updatedAt` is when the text in force was recorded. */
export async function listDocuments(db: Db, provider: string): Promise<DocumentEntry[]> {
  const rows = await db<(DocumentEntry & { updatedAt: Instant | null })[]>`
    select d.document as doc, d.url, d.title, d.source,
           (select max(v.recorded_at) from document_version v where v.source = d.source) as "updatedAt"
    from document d where d.provider = ${provider} order by d.document collate "C"`
  return rows.map((row) => ({ ...row, updatedAt: row.updatedAt ?? undefined }))
}

export type DocumentRow = { provider: string; document: string; title: string; url: string }

export type DocumentSummary = DocumentRow & {
  source: string
  versions: number
  versionId: string | null
  recordedAt: Instant | null
  effectiveDate: string | null
  /** `candidate` while a new text waits for its confirmation, `held` while one waits for a review. */
  waiting: 'candidate' | 'held' | null
}

/** Every document with its text in force, now or at an instant. */
export function documentSummaries(
  db: Db,
  { provider, asOf = null }: { provider?: string; asOf?: Instant | null },
): Promise<DocumentSummary[]> {
  return db<DocumentSummary[]>`
    select d.source, d.provider, d.document, d.title, d.url, current.version_id as "versionId",
           current.recorded_at as "recordedAt", current.effective_date::text as "effectiveDate",
           (select count(*)::int from document_version v where v.source = d.source and v.recorded_at is not null
            and (${asOf}::timestamptz is null or v.recorded_at <= ${asOf})) as versions,
           (select v.status from document_version v
            where v.source = d.source and v.status in ('candidate', 'held')) as waiting
    from document d
    left join lateral (
      select version_id, recorded_at, effective_date from document_version v
      where v.source = d.source and v.recorded_at is not null
        and (${asOf}::timestamptz is null or v.recorded_at <= ${asOf})
      order by v.recorded_at desc limit 1
    ) current on true
    where d.provider = ${provider ?? null} or ${provider ?? null}::text is null
    order by d.provider collate "C", d.document collate "C"`
}

/** Every document that a source declares or declared. */
export const documents = (db: Db): Promise<(DocumentRow & { source: string })[]> =>
  db<(DocumentRow & { source: string })[]>`select source, provider, document, title, url from document`

/** The document a source declares. */
export async function documentOf(db: Db, source: string): Promise<DocumentRow | undefined> {
  const [row] = await db<DocumentRow[]>`select provider, document, title, url from document where source = ${source}`
  return row
}

export async function sourceOfDocument(db: Db, provider: string, document: string): Promise<string | undefined> {
  const [row] = await db<{ source: string }[]>`
    select source from document where provider = ${provider} and document = ${document}`
  return row?.source
}

export type VersionEntry = {
  versionId: string
  status: string
  firstSeenAt: Instant
  recordedAt: Instant | null
  classification: Classification | null
  significance: Significance | null
  effectiveDate: string | null
  updatedDate: string | null
  reasons: string[]
  explained: ExplainedWords[] | null
  previousVersion: string | null
  eventId: string | null
  reviewedBy: string | null
  reviewedAt: Instant | null
  reviewNote: string | null
}

/** A document's versions, newest first: those in force one after another, and with `all` those held and expired too. */
export function documentVersions(
  db: Db,
  provider: string,
  document: string,
  options: { all?: boolean; limit?: number } = {},
): Promise<VersionEntry[]> {
  return db<VersionEntry[]>`
    select v.version_id as "versionId", v.status, v.first_seen_at as "firstSeenAt", v.recorded_at as "recordedAt",
           v.classification, v.significance, v.effective_date::text as "effectiveDate", v.updated_date::text as "updatedDate",
           v.reasons, v.explained, v.previous_version as "previousVersion", v.event_id as "eventId",
           v.reviewed_by as "reviewedBy", v.reviewed_at as "reviewedAt", v.review_note as "reviewNote"
    from document_version v join document d using (source)
    where d.provider = ${provider} and d.document = ${document}
      and (${options.all ?? false} or v.recorded_at is not null)
    order by coalesce(v.recorded_at, v.first_seen_at) desc, v.version_id desc limit ${options.limit ?? 200}`
}

export type HeldVersion = {
  versionId: string
  source: string
  provider: string
  document: string
  title: string
  url: string
  firstSeenAt: Instant
  heldAt: Instant
  reasons: string[]
  textHash: string
  currentVersion: string | null
  currentHash: string | null
}

/** Returns versions that wait for a person, the oldest first: all, or those with this id or provider. */
export async function heldVersions(
  db: Db,
  limit: number,
  { id, provider }: { id?: string; provider?: string } = {},
): Promise<HeldVersion[]> {
  return db<HeldVersion[]>`
    select v.version_id as "versionId", v.source, d.provider, d.document, d.title, d.url, v.first_seen_at as "firstSeenAt",
           v.held_at as "heldAt", v.reasons, v.text_hash as "textHash", c.version_id as "currentVersion",
           c.text_hash as "currentHash"
    from document_version v join document d using (source)
    left join lateral (select c.version_id, c.text_hash from document_version c
                       where c.source = v.source and c.recorded_at is not null
                       order by c.recorded_at desc limit 1) c on true
    where v.status = 'held'
      and ${id === undefined ? db`true` : db`v.version_id::text = ${id}`}
      and ${provider === undefined ? db`true` : db`d.provider = ${provider}`}
    order by v.held_at, v.version_id limit ${limit}`
}

export type DecidedVersion = {
  decision: 'approved' | 'rejected' | 'superseded'
  decidedAt: Instant
  decidedBy: string | null
  reason: string | null
}

/** Returns how a version that was held was decided: by a person, or because the page shows another text. */
export async function decidedVersion(db: Db, versionId: string): Promise<DecidedVersion | undefined> {
  const [version] = await db<DecidedVersion[]>`
    select case when status = 'rejected' then 'rejected'
                when reviewed_at is not null then 'approved' else 'superseded' end as decision,
           coalesce(reviewed_at, recorded_at, held_at) as "decidedAt", reviewed_by as "decidedBy",
           review_note as reason
    from document_version where version_id::text = ${versionId} and held_at is not null and status <> 'held'`
  return version
}

/** Documents whose title or name holds a text. */
export async function findDocuments(
  db: Db,
  text: string,
  limit: number,
): Promise<{ provider: string; document: string; title: string }[]> {
  return db<{ provider: string; document: string; title: string }[]>`
    select provider, document, title from document
    where strpos(lower(title || ' ' || provider || ' ' || document), ${text.toLowerCase()}) > 0
    order by char_length(title), provider, document limit ${limit}`
}
