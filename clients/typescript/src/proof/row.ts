import { createHash } from 'node:crypto'
import type { PriceRow, ProvenRow } from '../types.ts'
import { ProofError } from './proof-error.ts'

type Facts = Record<string, unknown>
const SAME_AS_SERVED = [
  'provider',
  'source',
  'resource',
  'dimension',
  'unit',
  'currency',
  'price',
  'recordedAt',
] as const
const PUBLISHING: readonly unknown[] = ['approved', 'auto_approved']

/**
 * Checks that a served row is the one that a leaf published. Returns when it was.
 * @throws ProofError other_row, edited_row, unreadable
 */
export function checkRow(row: PriceRow, proven: ProvenRow): string {
  const { contentHash } = row
  const hash = createHash('sha256').update(proven.row).digest('hex')
  const facts = readObject(proven.row)
  const leaf = readObject(proven.leaf)
  if (leaf.contentHash !== contentHash)
    throw new ProofError('other_row', `The proof is of row ${leaf.contentHash}, not of ${contentHash}.`, {
      contentHash,
    })
  if (hash !== contentHash)
    throw new ProofError('edited_row', `The facts in the proof are not those of row ${contentHash}.`, { contentHash })
  if (leaf.kind !== 'row' || !PUBLISHING.includes(leaf.status))
    throw new ProofError('other_row', `The leaf of row ${contentHash} did not publish it.`, { contentHash })
  for (const field of SAME_AS_SERVED)
    if (row[field] !== facts[field]) throw edited(row, field, row[field], facts[field])
  const tier = canonicalJson(row.pricingTier)
  if (tier !== facts.pricingTier) throw edited(row, 'pricingTier', tier, facts.pricingTier)
  return String(leaf.at)
}

/** Returns the contentHash of the row that a proof is of. @throws ProofError unreadable */
export const hashOf = ({ leaf }: ProvenRow): string => String(readObject(leaf).contentHash)

function edited({ contentHash }: PriceRow, field: string, served: unknown, published: unknown): ProofError {
  const message = `Row ${contentHash} was edited: its ${field} is ${JSON.stringify(served)}, and ${JSON.stringify(published)} was published.`
  return new ProofError('edited_row', message, { contentHash, field })
}

/** Reads canonical JSON: one text for one content, so that nothing can be read from it in two ways. */
function readObject(text: string): Facts {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch {
    read = undefined
  }
  if (typeof read === 'object' && read !== null && !Array.isArray(read) && canonicalJson(read) === text)
    return read as Facts
  throw new ProofError('unreadable', `The proof holds what is not canonical JSON: ${text.slice(0, 80)}`)
}

function canonicalJson(value: object): string {
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${JSON.stringify(item)}`).join(',')}}`
}
