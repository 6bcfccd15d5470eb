/** What Temporal Cloud bills, of one workflow's history: docs.temporal.io/cloud/actions. */
export type HistoryEvent = { type: string; task?: string; attempt?: number }

/** Events that are one action each. */
const ACTIONS: Record<string, string> = {
  WORKFLOW_EXECUTION_STARTED: 'starts',
  WORKFLOW_EXECUTION_SIGNALED: 'signals',
  TIMER_STARTED: 'timers',
  UPSERT_WORKFLOW_SEARCH_ATTRIBUTES: 'search attributes',
  ACTIVITY_TASK_SCHEDULED: 'activities',
}

/**
 * Returns the billed actions of a history by kind. All markers of one workflow task, such as those of local activities,
 * are one action. The attribute that the SDK writes beside a patch is billed as nothing. Heartbeats leave no trace in a
 * history and are not counted.
 */
export function actionsOf(events: HistoryEvent[]): Record<string, number> {
  const counts: Record<string, number> = {}
  const add = (kind: string, count = 1) => {
    counts[kind] = (counts[kind] ?? 0) + count
  }
  const marked = new Set<string | undefined>()
  const patched = new Set<string | undefined>()
  for (const { type, task, attempt = 1 } of events) {
    const kind = ACTIONS[type]
    if (type === 'PATCH_MARKER') patched.add(task)
    if (type === 'MARKER_RECORDED' || type === 'PATCH_MARKER') {
      if (!marked.has(task)) add('local activities and markers')
      marked.add(task)
    } else if (type === 'UPSERT_WORKFLOW_SEARCH_ATTRIBUTES' && patched.has(task)) {
      patched.delete(task)
    } else if (type === 'ACTIVITY_TASK_STARTED') add('activities', attempt - 1)
    else if (kind) add(kind)
  }
  return counts
}

/** Dollars for a million actions on the Business plan, up to this many millions a month. Above 200 million: ask them. */
const TIERS = [
  [5, 50],
  [10, 45],
  [20, 40],
  [50, 35],
  [100, 30],
  [Number.POSITIVE_INFINITY, 25],
] as const
const PLAN = { least: 500, share: 0.1 }

/** What this many million actions cost in a month on the Business plan; above 200 million at the last published price. */
export function costOf(millions: number): { 'actions $': number; 'plan $': number; 'together $': number } {
  let [actions, from] = [0, 0]
  for (const [upTo, price] of TIERS) {
    actions += Math.max(0, Math.min(millions, upTo) - from) * price
    from = upTo
  }
  const plan = Math.max(PLAN.least, actions * PLAN.share)
  const [a, p] = [Math.round(actions), Math.round(plan)]
  return { 'actions $': a, 'plan $': p, 'together $': a + p }
}
