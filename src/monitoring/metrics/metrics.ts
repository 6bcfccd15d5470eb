import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { VERSION } from '../../lib/process/version.ts'

/** Answers of the API: from an unchanged page to one that a client should not wait for. */
const ANSWER_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2.5, 5]
/** An attempt ends after 5 seconds. */
const ATTEMPT_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 6]
/** From "at once" over a round (200 s) and a check interval (300 s) to the worst case of the specification (18 min). */
const LAG_BUCKETS = [1, 5, 15, 30, 60, 120, 200, 300, 500, 600, 1_080, 1_800, 3_600]
const CHECK_BUCKETS = [1, 5, 15, 30, 60, 100, 150, 200, 220, 260, 300, 600]

/** What one process counts and measures. Each context has metrics of its own; nothing is kept in a module. */
export type Metrics = ReturnType<typeof createMetrics>

/** @param role the process that the metrics are of, for `pricetape_build_info` */
export function createMetrics(role: string) {
  const registry = new Registry()
  const registers = [registry]
  new Gauge({
    name: 'pricetape_build_info',
    help: 'Always 1. The labels say which version runs, and as what.',
    labelNames: ['version', 'role'],
    registers,
  }).set({ version: VERSION, role }, 1)
  const metrics = { registry, ...requestMetrics(registers), ...deliveryMetrics(registers), ...workMetrics(registers) }
  // A count that first appears as 1 is not an increase to Prometheus: what alerts watch begins at 0.
  for (const result of ['succeeded', 'failed', 'platform', 'unknown']) metrics.attempts.inc({ result }, 0)
  for (const result of ['ok', 'problems']) metrics.checks.inc({ result }, 0)
  return metrics
}

const requestMetrics = (registers: Registry[]) => ({
  requestSeconds: new Histogram({
    name: 'pricetape_http_request_duration_seconds',
    help: 'Time until a request was answered, by route pattern, method and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: ANSWER_BUCKETS,
    registers,
  }),
  requestErrors: new Counter({
    name: 'pricetape_http_errors_total',
    help: 'Requests that were answered with an error, by route pattern and error code.',
    labelNames: ['route', 'code'],
    registers,
  }),
  replicaReads: new Counter({
    name: 'pricetape_replica_reads_total',
    help: 'Pages of history by what the replica said: replica (it has them), behind, failed. Otherwise the primary answered.',
    labelNames: ['result'],
    registers,
  }),
})

const deliveryMetrics = (registers: Registry[]) => ({
  lagSeconds: new Histogram({
    name: 'pricetape_delivery_lag_seconds',
    help: 'Time from when an attempt was due until it was sent: first attempts and retries.',
    labelNames: ['attempt'],
    buckets: LAG_BUCKETS,
    registers,
  }),
  publicationSeconds: new Histogram({
    name: 'pricetape_delivery_publication_seconds',
    help: 'Time from the publication of a change until its first attempt was sent, to webhooks that took the last attempt.',
    buckets: LAG_BUCKETS,
    registers,
  }),
  attempts: new Counter({
    name: 'pricetape_attempts_total',
    help: 'Attempts by result: succeeded, failed, platform (our fault, which uses up none), unknown.',
    labelNames: ['result'],
    registers,
  }),
  attemptSeconds: new Histogram({
    name: 'pricetape_attempt_duration_seconds',
    help: 'Time that endpoints took to answer, by result.',
    labelNames: ['result'],
    buckets: ATTEMPT_BUCKETS,
    registers,
  }),
  unsent: new Counter({
    name: 'pricetape_deliveries_unsent_total',
    help: 'Deliveries that were due while their webhook was paused: they ended without being sent.',
    registers,
  }),
  autoPauses: new Counter({
    name: 'pricetape_webhook_auto_pauses_total',
    help: 'Webhooks that their failures paused.',
    registers,
  }),
  rounds: new Counter({ name: 'pricetape_rounds_total', help: 'Delivery rounds that ended.', registers }),
  roundsCutShort: new Counter({
    name: 'pricetape_rounds_cut_short_total',
    help: 'Delivery rounds whose 200 seconds ended while deliveries were due: the rest went in the next round.',
    registers,
  }),
})

const workMetrics = (registers: Registry[]) => ({
  conditions: new Gauge({
    name: 'pricetape_condition',
    help: 'What /readyz gives as reasons, as a worker sees it: 1 where it is so, else 0.',
    labelNames: ['code', 'severity'],
    registers,
  }),
  checks: new Counter({
    name: 'pricetape_checks_total',
    help: 'Checks that finished, by result: ok, or problems when a part of one failed.',
    labelNames: ['result'],
    registers,
  }),
  checkSeconds: new Histogram({
    name: 'pricetape_check_duration_seconds',
    help: 'How long checks took.',
    buckets: CHECK_BUCKETS,
    registers,
  }),
  collections: new Counter({
    name: 'pricetape_source_collections_total',
    help: 'Sources collected, by outcome: changed, unchanged, failed, quarantined, skipped, slow.',
    labelNames: ['outcome'],
    registers,
  }),
  publishedRows: new Counter({
    name: 'pricetape_prices_published_total',
    help: 'Price rows that collecting published.',
    registers,
  }),
  events: new Counter({
    name: 'pricetape_events_matched_total',
    help: 'Published events that were matched with webhooks.',
    registers,
  }),
  deliveries: new Counter({
    name: 'pricetape_deliveries_created_total',
    help: 'Deliveries that were created for events.',
    registers,
  }),
})
