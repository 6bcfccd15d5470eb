import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sha256 } from '../lib/hash.ts'
import type { Instant } from '../lib/instant.ts'
import type { Db, Tx } from '../lib/sql.ts'
import { storableText } from '../lib/text.ts'

/** Keeps the raw bytes of a snapshot, once however often they are seen, and returns their hash. */
export async function storeSnapshot(
  db: Db,
  snapshot: { bytes: Uint8Array; at: Instant; contentType?: string },
): Promise<string> {
  const { bytes, at } = snapshot
  const contentType = snapshot.contentType === undefined ? null : storableText(snapshot.contentType)
  const hash = sha256(bytes)
  const [known] = await db`select hash from snapshot where hash = ${hash}`
  if (known) return hash
  const packed = await promisify(gzip)(bytes, { level: 6 })
  await db`
    insert into snapshot (hash, size, content_type, bytes, created_at)
    values (${hash}, ${bytes.length}, ${contentType}, ${packed}, ${at})
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

/** A snapshot's bytes as they were fetched. */
export async function readSnapshot(db: Db, hash: string): Promise<Uint8Array | undefined> {
  const [row] = await db<{ bytes: Uint8Array }[]>`select bytes from snapshot where hash = ${hash}`
  return row && new Uint8Array(await promisify(gunzip)(row.bytes))
}
