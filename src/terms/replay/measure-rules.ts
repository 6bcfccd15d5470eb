import type { Isolation } from '../../lib/isolation/isolation.ts'
import type { Sql } from '../../lib/sql.ts'
import { RULES } from '../rules.ts'
import type { ReplayedEvent } from './outcomes.ts'
import { type ReadHistory, replayHistory } from './replay-pages.ts'

/** A rule, and the events that come only where it is left out. */
export type RuleMeasure = { rule: string; kept: ReplayedEvent[] }

export type MeasureTools = {
  isolation: Isolation
  /** Runs work with an empty database of its own. */
  withDatabase: <T>(work: (sql: Sql) => Promise<T>) => Promise<T>
}

/**
 * Replays a history once without each rule. `onMeasured` sees each rule when it was measured, with the database of its replay, which is
 * gone afterwards.
 */
export async function measureRules(
  { isolation, withDatabase }: MeasureTools,
  history: ReadHistory,
  onMeasured: (measured: RuleMeasure, sql: Sql) => Promise<void>,
): Promise<void> {
  const replayed = (without: string[], work: (events: ReplayedEvent[], sql: Sql) => Promise<void>) =>
    withDatabase(async (sql) => {
      const { outcomes } = await replayHistory({ sql, isolation }, history, { without })
      await work(outcomes.events, sql)
    })
  const known = new Set<string>()
  const keyOf = ({ document, seenAt }: ReplayedEvent) => `${document} ${seenAt}`
  await replayed([], async (events) => {
    for (const event of events) known.add(keyOf(event))
  })
  for (const { name } of RULES)
    await replayed([name], async (events, sql) => {
      await onMeasured({ rule: name, kept: events.filter((event) => !known.has(keyOf(event))) }, sql)
    })
}
