import { z } from 'zod'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { SHA256_HEX } from '../../lib/hash.ts'
import type { Instant } from '../../lib/instant.ts'

/** The statuses of rows that have a leaf: those that begin and end a publication. */
export const LOGGED_STATUSES = ['approved', 'auto_approved', 'withdrawn', 'removed'] as const
export const ORIGIN_REASONS = ['installed', 'restored', 'renamed'] as const

const instant = z.string().transform((text) => text as Instant)

/** What a leaf says. docs/use/proof.md documents it: nothing of it may ever change. */
const leaf = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('row'),
    at: instant,
    contentHash: z.string().regex(SHA256_HEX),
    status: z.enum(LOGGED_STATUSES),
  }),
  z.strictObject({
    kind: z.literal('provider'),
    at: instant,
    provider: z.string(),
    status: z.enum(['pending', 'active', 'retired']),
  }),
  z.strictObject({
    kind: z.literal('origin'),
    at: instant,
    origin: z.string(),
    reason: z.enum(ORIGIN_REASONS),
    previousOrigin: z.string().optional(),
    lostAfter: instant.optional(),
    lostUntil: instant.optional(),
  }),
])
export type Leaf = z.infer<typeof leaf>
export type RowLeaf = Extract<Leaf, { kind: 'row' }>
export type ProviderLeaf = Extract<Leaf, { kind: 'provider' }>

/** Returns the text of a leaf, which is what the tree holds. */
export function leafText(given: Leaf): string {
  // Nearly every leaf is a row's, and none of its texts needs escaping.
  if (given.kind === 'row')
    return `{"at":"${given.at}","contentHash":"${given.contentHash}","kind":"row","status":"${given.status}"}`
  return canonicalJson(given)
}

/** Returns what a leaf says; undefined for a text that is not one. */
export function readLeaf(text: string): Leaf | undefined {
  try {
    return leaf.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/**
 * Returns leaves in the order of the log: by instant, providers before rows. Rows come in the order of their sequence
 * numbers and providers in that of instant and name, which this keeps.
 */
export function inLogOrder(providers: ProviderLeaf[], rows: RowLeaf[]): (ProviderLeaf | RowLeaf)[] {
  const merged: (ProviderLeaf | RowLeaf)[] = []
  let next = 0
  for (const row of rows) {
    for (; next < providers.length && providers[next]!.at <= row.at; next++) merged.push(providers[next]!)
    merged.push(row)
  }
  return [...merged, ...providers.slice(next)]
}

const LENGTH_BYTES = 2

/** Returns leaves as a file of entries holds them: each after its length (C2SP tlog-tiles). */
export function bundle(leaves: Buffer[]): Buffer {
  const entries = Buffer.allocUnsafe(leaves.reduce((bytes, leaf) => bytes + LENGTH_BYTES + leaf.length, 0))
  let at = 0
  for (const leaf of leaves) {
    at = entries.writeUInt16BE(leaf.length, at)
    at += leaf.copy(entries, at)
  }
  return entries
}

/** Returns the leaves of a file of entries, `most` of them at most. */
export function unbundle(entries: Buffer, most = Number.POSITIVE_INFINITY): Buffer[] {
  const leaves: Buffer[] = []
  for (let at = 0; at < entries.length && leaves.length < most; ) {
    const from = at + LENGTH_BYTES
    at = from + entries.readUInt16BE(at)
    leaves.push(entries.subarray(from, at))
  }
  return leaves
}
