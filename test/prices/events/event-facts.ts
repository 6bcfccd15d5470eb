import type { Instant } from '../../../src/lib/instant.ts'
import { changesOfRows, linesAround, type Outcome } from '../../../src/prices/events/change-rules.ts'
import type { Change, EventFacts, EventRow } from '../../../src/prices/events/change-schema.ts'
import { eventsOf } from '../../../src/prices/events/event-rules.ts'
import { lineKey } from '../../../src/prices/row-rules.ts'
import type { KnownLine } from '../../../src/prices/schema.ts'
import { identity } from '../holds/held-lines.ts'

export const at = '2026-11-22T10:00:00.000Z' as Instant
export const earlier = '2026-11-01T10:00:00.000Z' as Instant
export const LONG = '{"context":"gt_200k"}'

export const hashOf = (name: string) => name.padEnd(64, '0')
export const row = (more: Partial<EventRow> = {}): EventRow => ({
  ...identity,
  price: '2',
  recordedAt: at,
  contentHash: hashOf('new'),
  ...more,
})
export const known = (more: Partial<KnownLine> = {}, price = '1'): KnownLine => ({
  ...identity,
  lineId: '1',
  missingCount: 0,
  current: { price, contentHash: hashOf('old'), recordedAt: earlier },
  ...more,
})
export const before = { price: '1', contentHash: hashOf('old'), recordedAt: earlier }
export const keyed = (...lines: KnownLine[]) => new Map(lines.map((line) => [lineKey(line), line]))
export const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  at,
  published: [],
  reopened: [],
  added: [],
  activated: [],
  ...more,
})
export const facts = (more: Partial<EventFacts> = {}): EventFacts => ({
  source: 'openrouter',
  isFirstSnapshot: false,
  startsQuietly: false,
  creditPriced: new Set(),
  reads: new Map(),
  ...more,
})
export const ofRows = (
  rows: Outcome['published'],
  lines = new Map<string, KnownLine>(),
  more: Partial<Outcome> = {},
) => {
  const all = outcome({ published: rows, ...more })
  return changesOfRows(all, linesAround(lines, all))
}
export const payload = (change: Change, more: Partial<EventFacts> = {}) =>
  eventsOf([change], facts(more)).events[0]!.payload
