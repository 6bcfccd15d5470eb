import { SECOND } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { FinishedCheck } from './record-check-run.ts'

/** What was sent in an attempt, and what came of it. */
type Attempt = {
  deliveryId: string
  cycle: number
  number: number
  webhookId?: string
  eventId?: string
  host?: string
  result: 'succeeded' | 'failed' | 'unknown' | 'platform'
  status?: number
  durationMs?: number
  lagMs?: number
  sincePublicationMs?: number
  text: string
}
type Round = {
  started: number
  succeeded: number
  failed: number
  unclear: number
  unsent: number
  faults: number
  cutShort: number
}
type CollectionRecord = {
  source: string
  outcome: string
  problem?: string
  published?: number
  held?: number
  durationMs: number
}

/** What a worker writes down of its work. */
export type WorkRecorder = ReturnType<typeof createWorkRecorder>

/**
 * Returns one function per thing that happens: each writes its log line and counts it. Lines name deliveries, webhooks
 * and hosts, never a whole URL, a payload or a secret.
 */
export function createWorkRecorder({ log, metrics }: { log: Log; metrics?: Metrics }) {
  return {
    attempt({ text, sincePublicationMs, ...attempt }: Attempt): void {
      const { result, number, durationMs, lagMs } = attempt
      metrics?.attempts.inc({ result })
      if (durationMs !== undefined && result !== 'platform')
        metrics?.attemptSeconds.observe({ result }, durationMs / SECOND)
      if (lagMs !== undefined)
        metrics?.lagSeconds.observe({ attempt: number === 1 ? 'first' : 'retry' }, Math.max(0, lagMs) / SECOND)
      // What our fault prevented was not delivered: it counts when it is sent.
      if (sincePublicationMs !== undefined && result !== 'platform')
        metrics?.publicationSeconds.observe(Math.max(0, sincePublicationMs) / SECOND)
      log[result === 'succeeded' ? 'info' : 'warn']({ ...attempt, reason: text }, `attempt ${result}`)
    },

    /** Attempts whose worker ended before it could record what came of them. */
    unknownAttempts(count: number): void {
      if (count === 0) return
      metrics?.attempts.inc({ result: 'unknown' }, count)
      log.warn({ count }, 'attempts were left without an outcome')
    },

    autoPause(webhookId: string): void {
      metrics?.autoPauses.inc()
      log.warn({ webhookId, by: 'failures' }, 'webhook paused')
    },

    shard(roundId: string, { shard, of }: { shard: number; of: number }, report: Round): void {
      metrics?.unsent.inc(report.unsent)
      const line = { roundId, shard, of, ...report }
      if (report.cutShort > 0) log.warn(line, 'the time of a round ended before everything was sent')
      else log[report.started + report.unsent > 0 ? 'info' : 'debug'](line, 'shard of a round ended')
    },

    check({ runId, durationMs, problems, delivered }: FinishedCheck): void {
      if (delivered) metrics?.rounds.inc()
      if (delivered && delivered.cutShort > 0) metrics?.roundsCutShort.inc()
      metrics?.checks.inc({ result: problems.length === 0 ? 'ok' : 'problems' })
      metrics?.checkSeconds.observe(durationMs / SECOND)
      log.info({ runId, durationMs, problems: problems.length }, 'check finished')
    },

    matched({ events, deliveries }: { events: number; deliveries: number }): void {
      if (events === 0 && deliveries === 0) return
      metrics?.events.inc(events)
      metrics?.deliveries.inc(deliveries)
      log.info({ events, deliveries }, 'events published')
    },

    /** `noInternet`: nothing could be reached, which one line said of all sources. */
    collected(collected: CollectionRecord, noInternet = false): void {
      const { source, outcome, problem, published = 0, held = 0, durationMs } = collected
      metrics?.collections.inc({ outcome })
      metrics?.publishedRows.inc(published)
      const line = { source, outcome, problem, published, held, durationMs: Math.round(durationMs) }
      const isQuiet = outcome === 'unchanged' || outcome === 'skipped' || (noInternet && outcome === 'failed')
      log[isQuiet ? 'debug' : 'info'](line, 'source collected')
    },
  }
}
