import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { forgetProviders, seeProviders } from '../../catalog/providers/provider-store.ts'
import type { Tx } from '../../lib/sql.ts'
import { endTakenOver } from '../authority/end-taken-over.ts'
import type { TakenOver } from '../authority/settle-authority.ts'
import { changesOfSnapshot } from '../events/change-rules.ts'
import type { Change } from '../events/change-schema.ts'
import type { Plan } from '../plan/schema.ts'
import { type Asking, reasonsToAsk, withAsking } from '../plan/sets/asking-rules.ts'
import { removeLines, renameResources } from '../publish/end-lines.ts'
import { publishRows } from '../publish/publish-rows.ts'
import type { KnownLine } from '../schema.ts'
import { syncAbsenceReviews } from '../store/absence-review-store.ts'
import { linesOfResources } from '../store/line-state-store.ts'
import { createLines } from '../store/publication-store.ts'
import { closeOvertakenReviews, openReviews, recordVerdicts } from '../store/review-store.ts'
import { newLines, plannedRows, publicationOf, publishedPairs, verdictOf } from './publication-rules.ts'
import { reviewsOf } from './review-item-rules.ts'
import { type StagedInput, storableProviders } from './schema.ts'

type Publishing = { plan: Plan; known: Map<string, KnownLine>; takenOver: TakenOver[]; asking: Asking }

/** Carries a plan out in one publication. Returns what changed. */
export async function publishPlan(
  tx: Tx,
  stamp: Stamp,
  input: StagedInput,
  { plan, known, takenOver, asking }: Publishing,
): Promise<Change[]> {
  const { source } = input.source
  const { at } = stamp
  const providers = storableProviders(input)
  await seeProviders(tx, source, providers, at)
  const rows = plannedRows(plan, input, await createLines(tx, source, newLines(plan)), at)
  const published = await publishRows(tx, stamp, publicationOf(plan, rows, input, at))
  await removeLines(tx, stamp, source, plan)
  await endTakenOver(tx, stamp, source, takenOver)
  await renameResources(tx, stamp, source, plan.renamed)
  const renamedTo = await linesOfResources(
    tx,
    source,
    plan.renamed.map(({ provider, to }) => ({ provider, resource: to })),
  )
  const named = providers.map(({ provider }) => provider)
  await forgetProviders(tx, source, named, at)
  await openReviews(tx, source, at, reviewsOf(plan, rows.held, asking))
  await recordVerdicts(tx, plan.waiting.map(verdictOf), reasonsToAsk(asking))
  if (plan.superseded.length + plan.released.length > 0) await closeOvertakenReviews(tx, source, at)
  if (!plan.keepsOpenItems) await syncAbsenceReviews(tx, source, at, withAsking(plan.toReview, asking))
  return changesOfSnapshot(plan, known, {
    at,
    ...published,
    published: publishedPairs(plan, rows),
    renamedTo,
    takenOver,
  })
}
