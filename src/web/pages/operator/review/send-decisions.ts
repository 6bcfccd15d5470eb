import { groupBy } from '../../../../lib/collections.ts'
import { type Decided, type Decisions, decideItems, type QueueItem } from '../../../api/operator.ts'
import { sessionEnded } from '../../../api/session-ended.ts'

export type Decision = Pick<Decisions, 'decision' | 'reason' | 'edits'>
/** A decision that waits to be sent. Those of one batch are taken back together. */
export type Pending = { item: QueueItem; decision: Decision; batch: number; sendAt: number }
/** A decision that was sent, with what came of it. */
export type Sent = { item: QueueItem; decision: Decision } & Omit<Decided['decided'][number], 'id'>

type Outcome = { group: Pending[]; sent: Sent[]; error?: Error }

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
    const { decided } = await decideItems({ ids: group.map(({ item }) => item.id), ...group[0]!.decision })
    return { group, sent: resultsOf(group, decided) }
  } catch (error) {
    sessionEnded.notice(error as Error)
    return { group, sent: [], error: error as Error }
  }
}

const resultsOf = (group: Pending[], decided: Decided['decided']): Sent[] =>
  group.flatMap(({ item, decision }) => {
    const result = decided.find(({ id }) => id === item.id)
    return result ? [{ item, decision, ...result }] : []
  })
