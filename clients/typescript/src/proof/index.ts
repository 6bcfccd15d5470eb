import type { ConsistencyProof, PageProof, PriceRow, ProvenRow, RowProof } from '../types.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { ProofError } from './proof-error.ts'
import { checkRow, hashOf } from './row.ts'
import { isConsistent, isSameHash, leafHash, readHashes, rootOfInclusion, rootOfLeaves } from './tree.ts'

export { type Checkpoint, openCheckpoint } from './checkpoint.ts'
export { ProofError, type ProofFault } from './proof-error.ts'

/** What is proven: the checkpoint, and when each row was published last. */
export type Proven = { checkpoint: Checkpoint; publishedAt: string }
export type ProvenPage = { checkpoint: Checkpoint; publishedAt: Map<string, string> }

/** Verifiers of the log that you trust. A checkpoint must be signed by one of them. */
type Keys = string | readonly string[]

/**
 * Checks that a row is as it was published, and that the log holds it. Covered are the fields that contentHash covers: not
 * approvalStatus, renamedTo, continues and confirmations, which are of an instant.
 * @throws ProofError
 */
export function verifyRow(row: PriceRow, proof: RowProof, keys: Keys): Proven {
  const checkpoint = openCheckpoint(proof.checkpoint, keys)
  const publishedAt = checkRow(row, proof)
  const root = rootOfInclusion(leafHash(proof.leaf), proof.leafIndex, checkpoint.size, hashesOf(proof))
  if (root && isSameHash(root, checkpoint.root)) return { checkpoint, publishedAt }
  const { contentHash } = row
  throw new ProofError('not_in_log', `Row ${contentHash} is not in the log of this checkpoint.`, { contentHash })
}

/**
 * Checks that nothing in the log was changed or removed since a checkpoint that you kept. Returns the newer one: keep it.
 * @param older the text of the checkpoint that you kept
 * @throws ProofError
 */
export function verifyConsistency(older: string, proof: ConsistencyProof, keys: Keys): Checkpoint {
  const kept = openCheckpoint(older, keys)
  const newer = openCheckpoint(proof.checkpoint, keys)
  if (isConsistent(kept, newer, hashesOf(proof))) return newer
  const sizes = `the checkpoint of ${newer.size} leaves does not contain the one of ${kept.size}`
  throw new ProofError('rewritten', `The log of ${newer.origin} was rewritten, or these are two logs: ${sizes}.`)
}

/** Checks all rows of a page, as {@link verifyRow} checks one. @throws ProofError, which names the first row that does not fit */
export function verifyPage(rows: readonly PriceRow[], proof: PageProof, keys: Keys): ProvenPage {
  const checkpoint = openCheckpoint(proof.checkpoint, keys)
  if (rows.length !== proof.rows.length) throw lacking(rows, proof.rows)
  const publishedAt = new Map(rows.map((row, n) => [row.contentHash, checkRow(row, proof.rows[n]!)]))
  const leaves = proof.rows.map(({ leafIndex, leaf }) => ({ index: leafIndex, hash: leafHash(leaf) }))
  leaves.sort((a, b) => a.index - b.index)
  const root = rootOfLeaves(leaves, checkpoint.size, hashesOf(proof))
  if (root && isSameHash(root, checkpoint.root)) return { checkpoint, publishedAt }
  throw new ProofError('not_in_log', 'Rows of this page are not in the log of this checkpoint.')
}

/** Says which row the page or the proof has and the other has not. */
function lacking(rows: readonly PriceRow[], proven: readonly ProvenRow[]): ProofError {
  const inPage = new Set(rows.map(({ contentHash }) => contentHash))
  const inProof = new Set(proven.map(hashOf))
  const removed = [...inProof].find((hash) => !inPage.has(hash))
  if (removed !== undefined)
    return new ProofError('missing_row', `The page lacks row ${removed}, which the proof has.`, {
      contentHash: removed,
    })
  const added = [...inPage].find((hash) => !inProof.has(hash))
  return new ProofError('missing_row', `The proof lacks row ${added}, which the page has.`, { contentHash: added })
}

function hashesOf({ hashes }: { hashes: string[] }): Uint8Array[] {
  const read = readHashes(hashes)
  if (read) return read
  throw new ProofError('unreadable', 'The proof holds what is not a hash.')
}
