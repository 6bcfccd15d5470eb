import { groupBy } from '../../../../../lib/collections.ts'
import { sessionEnded } from '../../../../api/connection/session-ended.ts'
import { type DecideAnswer, type Decisions, decideItems, type QueueItem } from '../../../../api/operator.ts'

export type Decision = Pick<Decisions, 'decision' | 'reason' | 'edits'>
/** An item as it was shown. */
export type ShownItem = { item: QueueItem; revision: string }
/** A decision that waits to be sent. Those of one batch are taken back together. */
export type Pending = ShownItem & { decision: Decision; batch: number; sendAt: number }
/** A decision that was sent, with what came of it. */
export type SentDecision = { item: QueueItem; decision: Decision } & Omit<DecideAnswer['decided'][number], 'id'>

export type Outcome = { group: Pending[]; sent: SentDecision[]; error?: Error }

/**
 * Sends decisions, those that are the same in one request. All requests leave before the first is answered: a page that
 * is left sends nothing later.
 */
export async function sendDecisions(chosen: Pending[], onOutcome: (outcome: Outcome) => void): Promise<void> {
  const groups = [...groupBy(chosen, ({ decision }) => JSON.stringify(decision)).values()]
  await Promise.all(groups.map(async (group) => onOutcome(await sendGroup(group))))
}

async function sendGroup(group: Pending[]): Promise<Outcome> {
  try {
    const { decided } = await decideItems(requestOf(group))
    return { group, sent: resultsOf(group, decided) }
  } catch (error) {
    sessionEnded.notice(error as Error)
    return { group, sent: [], error: error as Error }
  }
}

/** Returns the request for decisions that are the same: about what was shown. */
export function requestOf(group: Pending[]): Decisions {
  const { decision } = group[0]!
  const revisions = Object.fromEntries(group.map(({ item, revision }) => [item.id, revision]))
  return { ids: group.map(({ item }) => item.id), revisions, ...decision }
}

const resultsOf = (group: Pending[], decided: DecideAnswer['decided']): SentDecision[] =>
  group.flatMap(({ item, decision }) => {
    const result = decided.find(({ id }) => id === item.id)
    return result ? [{ item, decision, ...result }] : []
  })
