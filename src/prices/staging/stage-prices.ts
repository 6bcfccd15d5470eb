import type { Sql } from '../../lib/sql.ts'
import { type Duplicates, doubtZeros, dropDuplicates, readingAll } from './compare-store.ts'
import { copyIntoStaging, deadStagings, dropStaging, type Produce, registerStaging } from './staging-store.ts'

/** The lines of a snapshot in a table of their own. */
export type StagedSnapshot = {
  table: string
  /** Lines that the snapshot has more than once. */
  duplicates: Duplicates
  /** Zeros for cached tokens that mean "unknown". */
  zeros: number
}

/** Stages the lines that `produce` writes while `work` compares them. Nothing of them stays. */
export async function withStagedPrices<R, T>(
  sql: Sql,
  source: string,
  produce: Produce<R>,
  work: (staged: StagedSnapshot, produced: R) => Promise<T>,
): Promise<T> {
  for (const dead of await deadStagings(sql)) await dropStaging(sql, dead)
  const table = await registerStaging(sql, source)
  try {
    const produced = await copyIntoStaging(sql, table, produce)
    const { duplicates, zeros } = await readingAll(sql, async (tx) => ({
      duplicates: await dropDuplicates(tx, table),
      zeros: await doubtZeros(tx, table),
    }))
    return await work({ table, duplicates, zeros }, produced)
  } finally {
    await dropStaging(sql, table).catch(() => {})
  }
}

/** Drops what checks of a source left behind. Only for who has the source to itself: any check in progress would end. */
export async function dropDeadStagings(sql: Sql, source: string): Promise<void> {
  for (const dead of await deadStagings(sql, source)) await dropStaging(sql, dead)
}
