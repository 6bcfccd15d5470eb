import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../../lib/sql.ts'
import { publishedRow, renamedChange } from '../events/change-rules.ts'
import { renameResources } from '../publish/end-lines.ts'
import { isListed } from '../schema.ts'
import { linesOfResources } from '../store/line-state-store.ts'
import type { OpenReview } from '../store/review-store.ts'

/** Continues a missing resource under the new name that an item proposes. */
export async function approveRename(tx: Tx, stamp: Stamp, { source, provider, detail }: OpenReview) {
  const from = detail.resources?.[0]
  const { to } = detail
  if (!from || !to) throw new AppError('invalid_body', 'This item does not name a renaming.')
  const known = await linesOfResources(tx, source, [
    { provider, resource: from },
    { provider, resource: to },
  ])
  const listedAs = (resource: string) => known.filter((line) => line.resource === resource && isListed(line))
  if (listedAs(to).length === 0)
    throw new AppError(
      'invalid_body',
      `${to} has no published price. Decide about its prices first. If they were refused, leave this item until the source lists others: ${from} stays served. Or reject it: then ${from} is removed.`,
    )
  const renamed = { provider, from, to, lines: listedAs(from) }
  await renameResources(tx, stamp, source, [renamed])
  const rows = listedAs(to).map(publishedRow)
  return { changes: [renamedChange(renamed, rows)], rows: rows.length }
}
