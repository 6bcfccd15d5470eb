import type { Stamp } from '../catalog/clock-store.ts'
import { v7 } from '../lib/ids.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { EVENT_VERSIONS, type EventDraft } from './schema.ts'

/**
 * Records events in the publication that causes them: they become eligible at its instant and take their place in
 * commit order. The body is serialized here, once, and sent byte for byte ever after. Answers the event ids.
 */
export async function recordEvents(tx: Tx, stamp: Stamp, drafts: EventDraft[]): Promise<string[]> {
  const rows = drafts.map((draft) => {
    const id = `evt_${v7()}`
    const envelope = {
      version: EVENT_VERSIONS[draft.type],
      type: `${draft.type}.${draft.provider}`,
      id,
      createdAt: stamp.at,
      eligibleAt: stamp.at,
      provider: draft.provider,
    }
    return {
      seq: stamp.nextSeq(),
      event_id: id,
      type: draft.type,
      provider: draft.provider,
      resources: draft.resources ?? [],
      members: draft.members ?? [],
      document: draft.document ?? null,
      group_id: draft.groupId ?? null,
      credit_priced: draft.creditPriced ?? false,
      body: JSON.stringify({ ...envelope, ...draft.payload }),
    }
  })
  if (rows.length === 0) return []
  await tx`
    insert into event (seq, event_id, type, provider, eligible_at, resources, members, document, group_id, credit_priced, body)
    select e.seq, e.event_id, e.type, e.provider, ${stamp.at}, e.resources, e.members, e.document, e.group_id,
           e.credit_priced, e.body
    from jsonb_to_recordset(${tx.json(rows)}::jsonb) as e (seq bigint, event_id text, type text, provider text,
         resources text[], members text[], document text, group_id uuid, credit_priced boolean, body text)`
  return rows.map((row) => row.event_id)
}

/** The body of every recorded event, in commit order, as it was or will be sent. */
export async function* eventBodies(sql: Sql): AsyncGenerator<string> {
  for await (const rows of sql<{ body: string }[]>`select body from event order by seq`.cursor(500))
    for (const { body } of rows) yield body
}
