import type { Client } from '@temporalio/client'
import type { Sql } from '../../src/lib/sql.ts'
import type { Receiver } from '../topology/traffic.ts'
import type { ConfirmedDelivery } from './load.ts'

/** What became of deliveries that were confirmed before the database was lost. */
export async function judgeDeliveries(sql: Sql, receiver: Receiver, confirmed: ConfirmedDelivery[], lostAt: number) {
  const rows = await sql<{ id: string; eventId: string; status: string }[]>`
    select delivery_id as id, event_id as "eventId", status from delivery`
  const kept = new Set(rows.map(({ id }) => id))
  const events = new Set(rows.map(({ eventId }) => eventId))
  const accepted = new Map<string, number[]>()
  for (const { id, at, status } of receiver.posts)
    if (status === 200) accepted.set(id, [...(accepted.get(id) ?? []), at])
  const lost = confirmed.filter(({ id, at }) => at < lostAt && !kept.has(id))
  return {
    confirmed: confirmed.filter(({ at }) => at < lostAt).length,
    lost: lost.length,
    /** The age of what is lost, in seconds. */
    recoveryPoint: lost.length === 0 ? 0 : Math.round((lostAt - Math.min(...lost.map(({ at }) => at))) / 100) / 10,
    lostButSent: [...accepted.keys()].filter((id) => !events.has(id)).length,
    succeeded: rows.filter(({ status }) => status === 'succeeded').length,
    ofKnown: rows.length,
    neverReceived: rows.filter(({ eventId }) => !accepted.has(eventId)).length,
    sentAgainAfterRestore: [...accepted.values()].filter((times) => times[0]! < lostAt && times.at(-1)! > lostAt)
      .length,
  }
}

const RUNNING = `WorkflowType = 'delivery' and ExecutionStatus = 'Running'`

/** Workflows of deliveries that the database does not know. They are made to look, and have to end by themselves. */
export async function judgeOrphans(client: Client): Promise<{ orphans: number; ended: Record<string, number> }> {
  const ended: Record<string, number> = {}
  let orphans = 0
  for await (const { workflowId } of client.workflow.list({ query: RUNNING })) {
    orphans++
    const handle = client.workflow.getHandle(workflowId)
    await handle.signal('changed', 'a trial')
    const { status } = (await handle.result()) as { status: string }
    ended[status] = (ended[status] ?? 0) + 1
  }
  return { orphans, ended }
}
