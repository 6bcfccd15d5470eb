import { publishing } from '../../catalog/clock-store.ts'
import { creditPriced } from '../../catalog/provider-store.ts'
import { raisePriceVersion } from '../../catalog/source-ingest-store.ts'
import { type PriceCorrection, priceCorrectedEvent } from '../../events/payloads/price-corrected.ts'
import { recordEvents } from '../../events/store.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { identityFor, lineOf, pointOf } from '../events/payload-rules.ts'
import { publicationBody } from '../history/history-rules.ts'
import { closePublications, insertStatuses, openPublications, setCurrent } from '../store/publication-store.ts'
import { newestServed, type StoredRow, storedRows } from '../store/row-store.ts'
export type Correction = { contentHash: string; actor: string; reason: string; at?: Instant }

/**
 * Withdraws a published row as wrong: it is not served from now on, its line's earlier row is the price again, and
 * the source's word for it is not believed until the source says another price. Answers the event's id.
 * @throws AppError not_found, or invalid_body when the row is not published.
 */
export async function withdrawRow(sql: Sql, { contentHash, actor, reason, at }: Correction): Promise<string> {
  return publishing(
    sql,
    async (tx, stamp) => {
      const row = await theRow(tx, contentHash)
      if (!row.publishedAt) throw new AppError('invalid_body', `The row is ${row.status}, not published.`)
      const previous = await served(tx, row.lineId)
      await closePublications(tx, stamp.at, [contentHash])
      const status = { contentHash, seq: stamp.nextSeq(), status: 'withdrawn', reason, actor }
      await insertStatuses(tx, stamp.at, [status])
      const current = await served(tx, row.lineId)
      const decidedPrice = previous?.contentHash === contentHash ? row.price : undefined
      await setCurrent(tx, row.lineId, current?.contentHash, decidedPrice)
      const affected = { from: row.publishedAt, to: stamp.at }
      return record(tx, stamp, row, { action: 'withdrawn', previous, current, affected, reason })
    },
    at,
  )
}

/**
 * Serves a withdrawn row again. Answers the event's id.
 * @throws AppError not_found, or invalid_body when the row is not withdrawn.
 */
export async function restoreRow(sql: Sql, { contentHash, actor, reason, at }: Correction): Promise<string> {
  return publishing(
    sql,
    async (tx, stamp) => {
      const row = await theRow(tx, contentHash)
      if (row.status !== 'withdrawn') throw new AppError('invalid_body', `The row is ${row.status}, not withdrawn.`)
      const previous = await served(tx, row.lineId)
      const status = { contentHash, seq: stamp.nextSeq(), status: 'approved', reason, actor }
      await insertStatuses(tx, stamp.at, [status])
      const inCredits = (await creditPriced(tx, [row.provider])).has(row.provider)
      const body = publicationBody({ ...row, approvalStatus: 'approved' })
      await openPublications(tx, stamp.at, [{ ...row, creditPriced: inCredits, body }])
      const current = await served(tx, row.lineId)
      await setCurrent(tx, row.lineId, current?.contentHash)
      const affected = { from: row.statusAt, to: stamp.at }
      return record(tx, stamp, row, { action: 'restored', previous, current, affected, reason })
    },
    at,
  )
}

async function theRow(tx: Tx, contentHash: string): Promise<StoredRow> {
  const [named] = await storedRows(tx, [contentHash])
  if (!named) throw new AppError('not_found', 'There is no price row with this contentHash.')
  await raisePriceVersion(tx, named.source)
  // A snapshot may have been taken in while the source was awaited.
  return (await storedRows(tx, [contentHash]))[0]!
}

async function served(tx: Tx, lineId: string): Promise<StoredRow | undefined> {
  const hash = await newestServed(tx, lineId)
  return hash ? (await storedRows(tx, [hash]))[0] : undefined
}

type Told = Pick<PriceCorrection, 'action' | 'affected' | 'reason'> & { previous?: StoredRow; current?: StoredRow }

async function record(tx: Tx, stamp: Parameters<typeof recordEvents>[1], row: StoredRow, told: Told): Promise<string> {
  const { previous, current, ...rest } = told
  const inCredits = (await creditPriced(tx, [row.provider])).has(row.provider)
  const draft = priceCorrectedEvent(row.provider, inCredits, {
    ...identityFor(row.source, row),
    ...lineOf(row),
    ...rest,
    corrected: pointOf(row),
    ...(previous && { previous: pointOf(previous) }),
    ...(current && { current: pointOf(current) }),
  })
  const [id] = await recordEvents(tx, stamp, [draft])
  return id!
}
