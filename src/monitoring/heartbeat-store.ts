import { SECOND } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import { WORKER_SEEN_WITHIN_MS } from './health-rules.ts'
import type { Condition, WorkerReport } from './schema.ts'

/** A process that was seen later than now was seen while the clock was ahead: it says nothing about the present. */
const AHEAD_MS = 5 * SECOND

export type WorkerIdentity = { workerId: string; host: string; processId: number }

/** Records that a process with workers is alive, and what it found wrong; forgets those that ended a day ago. */
export async function recordHeartbeat(db: Db, worker: WorkerIdentity, conditions: Condition[]): Promise<void> {
  await db`
    insert into worker_heartbeat as w (worker_id, host, process_id, started_at, seen_at, conditions)
    select ${worker.workerId}, ${worker.host}, ${worker.processId}, now, now, ${db.json(conditions)}
    from clock_timestamp() as now
    on conflict (worker_id) do update set seen_at = excluded.seen_at, conditions = excluded.conditions`
  await db`
    delete from worker_heartbeat
    where seen_at < clock_timestamp() - interval '1 day' or seen_at > clock_timestamp() + interval '1 hour'`
}

/** A process that stops in order leaves no heartbeat behind. */
export async function deleteHeartbeat(db: Db, workerId: string): Promise<void> {
  await db`delete from worker_heartbeat where worker_id = ${workerId}`
}

/** Returns the processes with workers that are alive. */
export async function liveWorkers(db: Db): Promise<WorkerReport[]> {
  return db<WorkerReport[]>`
    select host, process_id as "processId", seen_at as "seenAt", conditions
    from worker_heartbeat
    where seen_at between clock_timestamp() - make_interval(secs => ${WORKER_SEEN_WITHIN_MS / SECOND})
                      and clock_timestamp() + make_interval(secs => ${AHEAD_MS / SECOND})
    order by worker_id`
}
