import type { Significance } from '../../events/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { type Classification, type DocumentOptions, type ExplainedWords, REPLACED } from '../schema.ts'

/** A readable text derived from a snapshot, with its fingerprints and the dates it states. */
export type DerivedText = {
  source: string
  snapshotHash: string
  extractor: string
  markdown: string
  textHash: string
  normalHash: string
  effectiveDate?: string
  updatedDate?: string
}

/** What is written of a new version. */
export type NewVersion = DerivedText & {
  status: 'candidate' | 'held' | 'published' | 'cosmetic'
  returnsTo?: string
  doubtSince?: Instant
  lastsSince?: string
  previousVersion?: string
  reasons?: string[]
}

/**
 * Lists a document under the names that its source declares. One that another source has goes on under this source; where
 * this one has a document already, that keeps its texts, and both exchange their names.
 */
export async function saveDocument(tx: Tx, source: string, options: DocumentOptions, url: string, at: Instant) {
  const { provider, document, title } = options
  const [other] = await tx<{ source: string }[]>`
    select source from document where provider = ${provider} and document = ${document} and source <> ${source}`
  const [own] = await tx<{ provider: string; document: string }[]>`
    select provider, document from document where source = ${source}`
  if (other && own) await rename(tx, other.source, { provider, document: `${document} of ${other.source}` }, at)
  else if (other) await handOver(tx, other.source, source, at)
  await tx`
    insert into document (source, provider, document, title, url, updated_at)
    values (${source}, ${provider}, ${document}, ${title}, ${url}, ${at})
    on conflict (source) do update
    set provider = excluded.provider, document = excluded.document, title = excluded.title, url = excluded.url,
        updated_at = excluded.updated_at
    where (document.provider, document.document, document.title, document.url)
       is distinct from (excluded.provider, excluded.document, excluded.title, excluded.url)`
  if (other && own) await rename(tx, other.source, own, at)
}

const rename = (tx: Tx, source: string, to: { provider: string; document: string }, at: Instant) =>
  tx`update document set provider = ${to.provider}, document = ${to.document}, updated_at = ${at} where source = ${source}`

const handOver = (tx: Tx, from: string, to: string, at: Instant) => tx`
  with listed as (update document set source = ${to}, updated_at = ${at} where source = ${from}),
    quarantined as (delete from document_quarantine where source = ${from})
  update document_version set source = ${to} where source = ${from}`

export async function insertVersion(tx: Tx, version: NewVersion, at: Instant): Promise<string> {
  const isOpen = version.status === 'candidate' || version.status === 'held'
  const [recordedAt, heldAt] = [isOpen ? null : at, version.status === 'held' ? at : null]
  const [row] = await tx<{ versionId: string }[]>`
    insert into document_version (source, status, first_seen_at, last_seen_at, recorded_at, snapshot_hash, extractor,
      markdown, text_hash, normal_hash, effective_date, updated_date, returns_to, previous_version, reasons,
      held_at, doubt_since, lasts_since)
    values (${version.source}, ${version.status}, ${at}, ${at}, ${recordedAt}, ${version.snapshotHash},
      ${version.extractor}, ${version.markdown}, ${version.textHash}, ${version.normalHash},
      ${version.effectiveDate ?? null}, ${version.updatedDate ?? null}, ${version.returnsTo ?? null},
      ${version.previousVersion ?? null}, ${version.reasons ?? []}, ${heldAt}, ${version.doubtSince ?? null}, ${version.lastsSince ?? null})
    returning version_id as "versionId"`
  return row!.versionId
}

/** The text was fetched again and is still the same. */
export async function seeAgain(tx: Tx, versionId: string, at: Instant): Promise<void> {
  await tx`update document_version set last_seen_at = ${at}, fetches = fetches + 1 where version_id = ${versionId}`
}

/** Ends what is open of a document whose source ended. */
export async function expireOpen(db: Db, source: string, reason: string): Promise<void> {
  await db`
    update document_version set status = 'expired', reasons = array_append(reasons, ${reason})
    where source = ${source} and status in ('candidate', 'held')`
}

/** An open version that was removed or replaced. */
export async function expire(tx: Tx, versionId: string, reason: string): Promise<void> {
  await tx`
    update document_version set status = 'expired', reasons = array_append(reasons, ${reason})
    where version_id = ${versionId} and status in ('candidate', 'held')`
}

export async function hold(tx: Tx, versionId: string, reasons: string[], previous: string, at: Instant): Promise<void> {
  await tx`
    update document_version set status = 'held', held_at = ${at}, reasons = ${reasons}, previous_version = ${previous}
    where version_id = ${versionId} and status in ('candidate', 'held')`
}

export type InForce = {
  classification?: Classification
  explained?: ExplainedWords[]
  significance?: Significance
  previous?: string
  eventId?: string
  reasons?: string[]
}

/** The open version, or one of which a part lasts, becomes the provider's text. Returns false when another process decided in the meantime. */
export async function putInForce(tx: Tx, versionId: string, at: Instant, change: InForce): Promise<boolean> {
  const rows = await tx`
    update document_version set
      status = ${change.classification === 'cosmetic' ? 'cosmetic' : 'published'}, recorded_at = ${at},
      classification = ${change.classification ?? null}, significance = ${change.significance ?? null},
      explained = ${change.explained ? tx.json(change.explained) : null},
      previous_version = ${change.previous ?? null},
      event_id = ${change.eventId ?? null}, reasons = array_remove(reasons, ${REPLACED}) || ${change.reasons ?? []}::text[]
    where version_id = ${versionId}
      and (status in ('candidate', 'held') or (status = 'expired' and ${REPLACED} = any(reasons))) returning 1`
  return rows.length > 0
}

export async function recordReview(
  tx: Tx,
  versionId: string,
  review: { status?: 'rejected'; by: string; note: string },
  at: Instant,
): Promise<void> {
  await tx`
    update document_version set reviewed_by = ${review.by}, reviewed_at = ${at}, review_note = ${review.note},
      status = coalesce(${review.status ?? null}, status)
    where version_id = ${versionId}`
}

/** The same snapshot read by a newer extractor: the version keeps its place in time and says what it said. */
export async function rederive(
  tx: Tx,
  versionId: string,
  text: { extractor: string; markdown: string; textHash: string; normalHash: string },
): Promise<void> {
  await tx`
    update document_version set extractor = ${text.extractor}, markdown = ${text.markdown},
      text_hash = ${text.textHash}, normal_hash = ${text.normalHash}
    where version_id = ${versionId}`
}

export type VersionToRederive = {
  versionId: string
  snapshotHash: string
  markdown: string
  textHash: string
  normalHash: string
}

/** A source's newest versions that another extractor read. */
export function versionsToRederive(
  db: Db,
  source: string,
  extractor: string,
  limit: number,
): Promise<VersionToRederive[]> {
  return db<VersionToRederive[]>`
    select version_id as "versionId", snapshot_hash as "snapshotHash", markdown, text_hash as "textHash",
           normal_hash as "normalHash"
    from document_version
    where source = ${source} and extractor <> ${extractor}
    order by coalesce(recorded_at, first_seen_at) desc limit ${limit}`
}

/** A snapshot as it was fetched, still compressed; undefined when it is no longer kept. */
export async function storedSnapshot(
  db: Db,
  hash: string,
): Promise<{ bytes: Buffer; contentType?: string } | undefined> {
  const [row] = await db<{ bytes: Buffer; contentType: string | null }[]>`
    select bytes, content_type as "contentType" from snapshot where hash = ${hash}`
  return row && { bytes: row.bytes, contentType: row.contentType ?? undefined }
}
