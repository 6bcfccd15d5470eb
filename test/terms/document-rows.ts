import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import type { Sql, Tx } from '../../src/lib/sql.ts'
import * as write from '../../src/terms/store/version-store.ts'

export const START = '2026-01-01T00:00:00.000Z' as Instant
export const at = (hour: number): Instant => plus(START, hour * HOUR)
export const inTransaction = <T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> => sql.begin(work) as Promise<T>

/** Two providers with two documents each; the last one of the first is on another host. */
const DOCUMENTS = [
  ['one', 'terms', 'https://one.example/terms'],
  ['one', 'privacy', 'https://one.example/privacy'],
  ['one', 'abuse', 'https://legal.example/abuse'],
  ['two', 'terms', 'https://one.example/two'],
  ['two', 'privacy', 'https://two.example/privacy'],
] as const
const sourceOf = (provider: string, document: string) => `${provider}-${document}`

export async function addDocuments(sql: Sql): Promise<void> {
  for (const [provider, document, url] of DOCUMENTS) {
    const source = sourceOf(provider, document)
    await sql`
      insert into source (source, kind, format, interval_seconds) values (${source}, 'terms', 'document', 3600)`
    await sql`
      insert into provider (provider, name, created_at) values (${provider}, ${provider}, ${START}) on conflict do nothing`
    const options = { provider, document, title: `${document} of ${provider}` }
    await inTransaction(sql, (tx) => write.saveDocument(tx, source, options as never, url, START))
  }
}

type VersionFields = Partial<write.NewVersion> & { hour: number }
/** Adds a version whose text is `text`. */
export async function addVersion(
  sql: Sql,
  source: string,
  text: string,
  { hour, ...more }: VersionFields,
): Promise<string> {
  const snapshotHash = await storeSnapshot(sql, { bytes: Buffer.from(`${source} ${text}`), at: at(hour) })
  const hashes = { markdown: text, textHash: `${text}!`, normalHash: text, extractor: 'x1' }
  const version = { source, snapshotHash, ...hashes, status: 'published' as const, ...more }
  return inTransaction(sql, (tx) => write.insertVersion(tx, version, at(hour)))
}
/** Adds versions like one, an hour after the other, that made no event. */
export const addSilentVersions = (sql: Sql, versionId: string, count: number) => sql`
  insert into document_version (source, status, first_seen_at, last_seen_at, recorded_at, snapshot_hash, extractor,
                                markdown, text_hash, normal_hash)
  select source, 'cosmetic', at, at, at, snapshot_hash, extractor, markdown, text_hash, normal_hash
  from document_version, generate_series(first_seen_at + interval '1 h', first_seen_at + ${`${count} h`}::interval, '1 h') at
  where version_id = ${versionId}`
/** Every version of a document, as text. */
export const rowsOf = async (sql: Sql, source: string) =>
  (await sql<{ row: string }[]>`select v::text as row from document_version v where source = ${source} order by 1`).map(
    ({ row }) => row,
  )
