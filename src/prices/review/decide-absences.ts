import { followRenames } from '../../aliases/follow-renames.ts'
import type { Stamp } from '../../catalog/clock-store.ts'
import { creditPriced, retireEmptyProviders } from '../../catalog/provider-store.ts'
import { recordRenames, unlistResources } from '../../catalog/resource-store.ts'
import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../../lib/sql.ts'
import { nothingHappened } from '../events/event-rules.ts'
import { applyAbsences } from '../publish/apply-absences.ts'
import { type KnownLine, linesOfResources } from '../store/line-state-store.ts'
import { updateLines } from '../store/publication-store.ts'
import type { OpenReview } from '../store/review-store.ts'
import type { Decided } from './decide-review.ts'

/** A person confirms that resources are gone: those still missing are removed. */
export async function approveRemoval(tx: Tx, stamp: Stamp, review: OpenReview): Promise<Decided> {
  const { source, provider } = review
  const asked = (review.detail.resources ?? []).map((resource) => ({ provider, resource }))
  const known = await linesOfResources(tx, source, asked)
  const happened = nothingHappened(stamp.at, source)
  happened.plan.removed = asked
    .map(({ resource }) => ({ provider, resource, lines: liveLines(known, resource) }))
    .filter(({ lines }) => lines.length > 0 && lines.every((line) => line.missingSince))
  await updateLines(tx, await applyAbsences(tx, stamp, happened.plan))
  await unlistResources(tx, source, happened.plan.removed, stamp.at)
  await retireEmptyProviders(tx, [provider], stamp.at)
  happened.inCredits = await creditPriced(tx, [provider])
  return { happened, known }
}

/** A person confirms that a resource goes on under another name. */
export async function approveRename(tx: Tx, stamp: Stamp, review: OpenReview): Promise<Decided> {
  const { source, provider, detail } = review
  const from = detail.resources?.[0]
  const to = detail.to
  if (!from || !to) throw new AppError('invalid_body', 'This item names no renaming.')
  const known = await linesOfResources(tx, source, [
    { provider, resource: from },
    { provider, resource: to },
  ])
  const happened = nothingHappened(stamp.at, source)
  happened.plan.renamed = [{ provider, from, to, lines: liveLines(known, from) }]
  await updateLines(tx, await applyAbsences(tx, stamp, happened.plan))
  await recordRenames(tx, source, happened.plan.renamed, [], stamp.at)
  await followRenames(tx, stamp, happened.plan.renamed)
  await unlistResources(tx, source, [{ provider, resource: from }], stamp.at)
  happened.inCredits = await creditPriced(tx, [provider])
  happened.rows = liveLines(known, to).map((line) => ({ ...line, ...line.current! }))
  return { happened, known }
}

const liveLines = (known: KnownLine[], resource: string) =>
  known.filter((line) => line.resource === resource && line.current && !line.removedAt)
