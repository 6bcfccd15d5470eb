import { setImmediate } from 'node:timers/promises'
import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { rowFacts } from '../prices/row-rules.ts'
import { storedRows } from '../prices/store/row-store.ts'
import { signedLog } from './newest-log.ts'
import type { PageProof } from './page-proof-schema.ts'
import { rangesBeside } from './tree/page-ranges-rules.ts'
import { placeRows } from './tree/place-rows.ts'
import { proofHashes } from './tree/stored-hashes.ts'

/** Hashes that are computed between two turns of other requests: a few milliseconds. */
const RANGES_AT_ONCE = 500

/**
 * Returns one proof that all these rows were published, of the newest leaf that says so of each, in the tree of the newest
 * checkpoint.
 * @throws AppError row_not_logged, which names the first row that has no leaf in it
 */
export async function readPageProof(sql: Sql, contentHashes: string[]): Promise<PageProof> {
  const checkpoint = await signedLog(sql)
  const placed = await placeRows(sql, contentHashes)
  const facts = new Map(
    (await storedRows(sql, contentHashes)).map((row) => [
      row.contentHash,
      rowFacts(row.source, row, row, row.recordedAt),
    ]),
  )
  const rows = contentHashes.map((contentHash) => {
    const { index, leaf } = placed.get(contentHash) ?? {}
    const row = facts.get(contentHash)
    if (index === undefined || leaf === undefined || row === undefined || index >= checkpoint.size)
      throw notLogged(contentHash)
    return { leafIndex: index, leaf, row }
  })
  const indexes = rows.map(({ leafIndex }) => leafIndex).sort((a, b) => a - b)
  const ranges = rangesBeside(indexes, checkpoint.size)
  const hashes: string[] = []
  for (let from = 0; from < ranges.length; from += RANGES_AT_ONCE) {
    hashes.push(...(await proofHashes(sql, ranges.slice(from, from + RANGES_AT_ONCE))))
    await setImmediate()
  }
  return { rows, hashes, checkpoint: checkpoint.note }
}

const notLogged = (contentHash: string): AppError =>
  new AppError(
    'row_not_logged',
    `Row ${contentHash} is in no signed part of the log: GET /v1/log/proof?contentHash=${contentHash} says why.`,
    { field: 'contentHashes' },
  )
