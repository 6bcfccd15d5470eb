import type { Stamp } from '../../catalog/clock/clock-store.ts'
import {
  type ActivatedProvider,
  activateProviders,
  settleProviders,
} from '../../catalog/providers/provider-status-store.ts'
import { recordPricing } from '../../catalog/providers/provider-store.ts'
import {
  endRenames,
  formerNames,
  listResources,
  type SeenResource,
  settleCanonicalIds,
} from '../../catalog/resource-store.ts'
import type { Tx } from '../../lib/sql.ts'
import { settlePublished } from '../confirmation/settle-confirmations.ts'
import { publicationBody } from '../history/history-rules.ts'
import type { LineIdentity, Money, NewRow } from '../schema.ts'
import {
  closePublications,
  insertRows,
  insertStatuses,
  type LineState,
  linesOfFormerNames,
  openPublications,
  type ReopenedRow,
  reopenRemoved,
  updateLines,
} from '../store/publication-store.ts'
import { distinctResources } from './listed-resource-rules.ts'

type ServedRow = LineIdentity &
  Money & { lineId: string; contentHash: string; recordedAt: NewRow['recordedAt']; continues?: string }
type RelistedLine = { lineId: string; provider: string; resource: string }

/** A row and the status it gets. Approved rows are served from now on; withdrawn and removed ones no longer are. */
type RowStatus = { reason?: string; actor?: string } & (
  | { status: 'approved' | 'auto_approved'; row: ServedRow }
  | { status: 'withdrawn' | 'removed' | 'rejected' | 'pending'; row: { contentHash: string } }
)

export type Publication = {
  source: string
  /** Rows that are recorded for the first time. */
  recorded?: NewRow[]
  rows: RowStatus[]
  /** Resources that are listed from now on. Their providers become active. */
  listed?: SeenResource[]
  /** Lines that are listed again: their rows that a removal ended are served again, under former names too. */
  relisted?: RelistedLine[]
  lines: LineState[]
  /** The prices are older than the directory: their providers get no `activatedAt`. */
  isHistory?: boolean
}

export type PublishResult = {
  /** Listed resources that no source had priced before. */
  added: { provider: string; resource: string }[]
  /** Providers that became active for the first time. */
  activated: ActivatedProvider[]
  reopened: ReopenedRow[]
}

/**
 * Records rows and their statuses, starts and stops serving them, and writes the state of their lines. A provider of
 * which nothing is left is retired. The only code that does; everything is part of one publication.
 */
export async function publishRows(tx: Tx, stamp: Stamp, publication: Publication): Promise<PublishResult> {
  const { source, recorded = [], rows, relisted = [], lines, isHistory } = publication
  const { at } = stamp
  const listed = distinctResources(publication.listed ?? [])
  const added = await listResources(tx, source, listed, at)
  await endRenames(tx, source, listed, at)
  const providers = [...new Set(listed.map(({ provider }) => provider))]
  const activated = await activateProviders(tx, providers, at, { older: isHistory })
  await insertRows(tx, recorded)
  await insertStatuses(tx, stamp, rows.map(statusOf))
  const opened = await serve(tx, stamp, source, rows)
  const closed = await closePublications(tx, at, rows.filter(isEnded).map(hashOf))
  const reopened = await reopenRemoved(tx, at, await linesToReopen(tx, source, relisted))
  await insertStatuses(
    tx,
    stamp,
    reopened.map(({ contentHash, status }) => ({ contentHash, status, reason: 'listed again' })),
  )
  const repriced = [...new Set([...opened, ...closed, ...reopened.map(({ provider }) => provider)])]
  await recordPricing(tx, repriced, at)
  await settleProviders(tx, repriced, at)
  await updateLines(tx, lines)
  await settleCanonicalIds(tx, source, listed, at)
  await settlePublished(tx, stamp, lines)
  return { added, activated, reopened }
}

const statusOf = ({ row, status, reason, actor }: RowStatus) => ({
  contentHash: row.contentHash,
  status,
  reason,
  actor,
})
const hashOf = ({ row }: RowStatus) => row.contentHash
const isEnded = ({ status }: RowStatus) => status === 'withdrawn' || status === 'removed'

async function linesToReopen(tx: Tx, source: string, relisted: RelistedLine[]): Promise<string[]> {
  const lineIds = relisted.map(({ lineId }) => lineId)
  const former = await formerNames(tx, source, relisted)
  return [...lineIds, ...(await linesOfFormerNames(tx, source, former, lineIds))]
}

/** Serves approved rows from now on. Returns their providers. */
async function serve(tx: Tx, stamp: Stamp, source: string, rows: RowStatus[]): Promise<string[]> {
  const served = rows.flatMap((one) =>
    one.status === 'approved' || one.status === 'auto_approved' ? [{ ...one.row, status: one.status }] : [],
  )
  const openings = served.map(({ status, ...row }) => ({
    contentHash: row.contentHash,
    provider: row.provider,
    source,
    resource: row.resource,
    lineId: row.lineId,
    recordedAt: row.recordedAt,
    dimension: row.dimension,
    currency: row.currency,
    canonicalResource: row.canonicalResource,
    body: publicationBody({ ...row, source, approvalStatus: status }),
  }))
  await openPublications(tx, stamp.at, openings)
  return openings.map(({ provider }) => provider)
}
