/**
 * What Temporal Cloud would bill: the actions of the recorded histories of this version, and what they cost a month.
 * usage: node --import tsx bench/load/actions.ts
 */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { actionsOf, costOf, type HistoryEvent } from './actions-rules.ts'

type RecordedEvent = {
  eventType: string
  markerRecordedEventAttributes?: { markerName: string; workflowTaskCompletedEventId: string }
  upsertWorkflowSearchAttributesEventAttributes?: { workflowTaskCompletedEventId: string }
  activityTaskStartedEventAttributes?: { attempt?: number }
}
const HISTORIES = fileURLToPath(new URL('../../test/histories/', import.meta.url))
const DAYS = 30.4
const PATCH = 'core_patch'

function eventOf(event: RecordedEvent): HistoryEvent {
  const marker = event.markerRecordedEventAttributes
  const task = marker ?? event.upsertWorkflowSearchAttributesEventAttributes
  const type = marker?.markerName === PATCH ? 'PATCH_MARKER' : event.eventType.replace('EVENT_TYPE_', '')
  const attempt = event.activityTaskStartedEventAttributes?.attempt
  return { type, ...(task && { task: task.workflowTaskCompletedEventId }), ...(attempt && { attempt }) }
}

const totals: Record<string, number> = {}
const table: Record<string, Record<string, number>> = {}
for (const name of (await readdir(HISTORIES, { recursive: true })).filter((file) =>
  /^(delivery|check)\/.*\.json$/.test(file),
)) {
  const { events } = JSON.parse(await readFile(HISTORIES + name, 'utf8')) as { events: RecordedEvent[] }
  const counts = actionsOf(events.map(eventOf))
  totals[name] = Object.values(counts).reduce((a, b) => a + b, 0)
  table[name.replace('.json', '')] = { ...counts, all: totals[name] }
}
console.table(table)
const success = totals['delivery/succeeded-at-once.json']!
console.table(
  [1, 10].map((millions) => {
    const actions = millions * DAYS * success
    return { 'million deliveries a day': millions, 'million actions a month': Math.round(actions), ...costOf(actions) }
  }),
)
