import type { Log } from '../lib/log.ts'
import type { Sql } from '../lib/sql.ts'
import type { Metrics } from '../monitoring/metrics/metrics.ts'
import { createHistoryReplica, type HistoryReplica, type ReplicaOutcome } from '../prices/history/history-replica.ts'

const MEANINGS: Record<ReplicaOutcome, string> = {
  replica: 'pages of history are read from the replica',
  behind: 'the replica is behind: the primary answers what it does not have yet',
  failed: 'the replica does not answer: the primary answers instead',
}

/** Returns a replica whose reads are counted. The log says when they begin to end otherwise than before. */
export function reportedReplica(sql: Sql, log: Log, metrics: Metrics | undefined): HistoryReplica {
  let before: ReplicaOutcome = 'replica'
  return createHistoryReplica(sql, (read, error) => {
    metrics?.replicaReads.inc({ result: read })
    if (read === before) return
    log[read === 'replica' ? 'info' : 'warn'](error === undefined ? {} : { err: error }, MEANINGS[read])
    before = read
  })
}
