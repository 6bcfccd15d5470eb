import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sha256 } from '../../lib/hash.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { storableText } from '../../lib/text.ts'

export type NewSnapshot = {
  bytes: Uint8Array
  at: Instant
  contentType?: string
  /** Where it was read, as everyone may know it. */
  address?: string
}

/** Keeps the raw bytes of a snapshot, once however often they are seen, and returns their hash. */
export async function storeSnapshot(db: Db, snapshot: NewSnapshot): Promise<string> {
  const { bytes, at } = snapshot
  const address = snapshot.address === undefined ? null : storableText(snapshot.address)
  const contentType = snapshot.contentType === undefined ? null : storableText(snapshot.contentType)
  const hash = sha256(bytes)
  const [known] = await db`select hash from snapshot where hash = ${hash}`
  if (known) return hash
  const packed = await promisify(gzip)(bytes, { level: 6 })
  await db`
    insert into snapshot (hash, size, content_type, bytes, created_at, address)
    values (${hash}, ${bytes.length}, ${contentType}, ${packed}, ${at}, ${address})
    on conflict (hash) do nothing`
  return hash
}

/** Keeps snapshots from retention until the rows that refer to them are there. @throws when one is gone */
export async function keepSnapshots(tx: Tx, hashes: string[]): Promise<void> {
  const wanted = [...new Set(hashes)]
  if (wanted.length === 0) return
  const kept = await tx`select from snapshot where hash = any(${wanted}::text[]) for key share`
  if (kept.length < wanted.length) throw new Error('a snapshot was deleted while its prices were recorded')
}

/** What is known of a snapshot beside its bytes. */
export type SnapshotFacts = {
  hash: string
  size: number
  contentType: string | null
  /** Where and when its bytes were read first. */
  address: string | null
  readAt: Instant
}

/** Returns what is known of snapshots, by their hash; those that are not kept any more are left out. */
export async function snapshotFacts(db: Db, hashes: string[]): Promise<Map<string, SnapshotFacts>> {
  if (hashes.length === 0) return new Map()
  const rows = await db<SnapshotFacts[]>`
    select hash, size, content_type as "contentType", address, created_at as "readAt"
    from snapshot where hash = any(${hashes}::text[])`
  return new Map(rows.map((row) => [row.hash, row]))
}

/** A snapshot's bytes as they were fetched. */
export async function readSnapshot(db: Db, hash: string): Promise<Uint8Array | undefined> {
  const [row] = await db<{ bytes: Uint8Array }[]>`select bytes from snapshot where hash = ${hash}`
  return row && new Uint8Array(await promisify(gunzip)(row.bytes))
}
