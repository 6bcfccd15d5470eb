import type { Sql } from '../lib/sql.ts'
import { type OpenItem, openItems } from './find-in-queue.ts'
import type { QueueFilter } from './schema.ts'

const ALL = 100_000

type Count = { value: string; count: number }
/** What waits, counted by what it can be filtered by, the most frequent first. */
export type QueueSummary = { waiting: number; kinds: Count[]; providers: Count[]; sources: Count[]; reasons: Count[] }

/** Counts what waits and meets a filter. */
export async function summarizeQueue(sql: Sql, filter: QueueFilter = {}): Promise<QueueSummary> {
  const items = await openItems(sql, filter, ALL)
  const facts = items.map(factsOf)
  return {
    waiting: items.length,
    kinds: counted(facts.map(({ kind }) => kind)),
    providers: counted(facts.map(({ provider }) => provider)),
    sources: counted(facts.map(({ source }) => source)),
    reasons: counted(facts.flatMap(({ reasons }) => reasons)),
  }
}

const factsOf = (item: OpenItem) =>
  'document' in item ? { ...item.document, kind: 'terms' as const } : { ...item.prices }

function counted(values: string[]): Count[] {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count)
}
