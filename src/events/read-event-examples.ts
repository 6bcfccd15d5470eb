import type { Sql } from '../lib/sql.ts'
import { exampleEvent } from './payloads/examples.ts'
import { EVENT_TYPES, type EventType } from './schema.ts'
import { newestBodies } from './store.ts'

export type EventExample = { type: EventType; body: string; recorded: boolean }

/** A body of each event type: the newest one that was recorded lately, or else an invented one. */
export async function readEventExamples(sql: Sql): Promise<EventExample[]> {
  const recorded = await newestBodies(sql)
  return EVENT_TYPES.map((type) => {
    const body = recorded.get(type)
    return { type, body: body ?? JSON.stringify(exampleEvent(type)), recorded: body !== undefined }
  })
}
