import { Gauge, type Registry } from 'prom-client'
import { epochMs, SECOND } from '../../lib/instant.ts'
import { sharedReading } from '../../lib/shared-reading.ts'
import type { Sql } from '../../lib/sql.ts'
import { type InstallationState, readGauges } from './read-gauges.ts'

/** However many scrapers there are, the database is read once in this time. */
const READ_EVERY_MS = 10 * SECOND

type Labels = Record<string, string>
type Values = [labels: Labels, value: number][]
type Group = Exclude<keyof InstallationState, 'up'>
type GaugeDescription = { help: string; labels?: string[]; values: (state: InstallationState) => Values }

/** A gauge of a group: it has no values while its group could not be read. */
const of = <G extends Group>(
  group: G,
  {
    values,
    ...about
  }: { help: string; labels?: string[]; values: (read: NonNullable<InstallationState[G]>) => Values },
): GaugeDescription => ({
  ...about,
  values: (state) => {
    const read = state[group]
    return read === undefined ? [] : values(read)
  },
})

/** Every state is shown, also at zero: an alert can tell "none" from "not known". */
const counted = <T extends string>(label: string, states: readonly T[], countOf: (state: T) => number) =>
  states.map((state): [Labels, number] => [{ [label]: state }, countOf(state)])

const AGES = ['1h', '1d', '7d', 'older'] as const

/** What the database says about the whole installation: every process shows the same, so take the maximum of them. */
const INSTALLATION_GAUGES: Record<string, GaugeDescription> = {
  pricetape_deliveries_waiting: of('deliveries', {
    help: 'Deliveries that are not finished: due, in_flight, later (due at a later time), paused (due while paused). Absent while no worker counts.',
    labels: ['state'],
    values: ({ due, inFlight, later, paused }) =>
      Object.entries({ due, in_flight: inFlight, later, paused }).map(([state, count]) => [{ state }, count]),
  }),
  pricetape_delivery_oldest_due_seconds: of('deliveries', {
    help: 'How long the delivery that has been due longest has waited, of webhooks that are active and took the last attempt; 0 when none is due.',
    values: ({ oldestDueSeconds }) => [[{}, oldestDueSeconds]],
  }),
  pricetape_delivery_workspaces: of('deliveries', {
    help: 'Workspaces: active (with an active webhook), late (of these, with a delivery due for more than 500 seconds to a webhook that took the last attempt).',
    labels: ['state'],
    values: ({ workspaces, lateWorkspaces }) => [
      [{ state: 'active' }, workspaces],
      [{ state: 'late' }, lateWorkspaces],
    ],
  }),
  pricetape_deliveries_counted_timestamp_seconds: of('deliveries', {
    help: 'When a worker last counted the deliveries that wait. Absent when that was more than 5 minutes ago.',
    values: ({ countedAt }) => [[{}, epochMs(countedAt) / SECOND]],
  }),
  pricetape_webhooks: of('webhooks', {
    help: 'Webhooks: active, failing (active, the last attempt failed), paused.',
    labels: ['state'],
    values: (webhooks) =>
      counted('state', ['active', 'failing', 'paused'], (state) => sum(webhooks.filter((row) => row.state === state))),
  }),
  pricetape_review_items: of('review', {
    help: 'What waits for a person, by kind (prices, document) and by how long: under 1h, 1d, 7d, or older.',
    labels: ['kind', 'age'],
    values: (review) =>
      (['prices', 'document'] as const).flatMap((kind) =>
        AGES.map((age): [Labels, number] => [
          { kind, age },
          sum(review.filter((row) => row.kind === kind && row.age === age)),
        ]),
      ),
  }),
  pricetape_review_oldest_seconds: of('review', {
    help: 'How long the item that has waited longest for a person has waited; 0 when none waits.',
    values: (review) => [[{}, Math.max(0, ...review.map(({ oldest }) => oldest))]],
  }),
  pricetape_contradicted_prices: of('contradicted', {
    help: 'Served prices that a better source contradicts, or two that agree, for 48 hours.',
    values: (count) => [[{}, count]],
  }),
  pricetape_accuracy_prices: of('accuracy', {
    help: 'Served prices of the newest daily measure by what sources say: contradicted, confirmed by the provider, by an independent list or by their own list alone, unconfirmed.',
    labels: ['state'],
    values: ([newest]) => newest?.states.map(({ state, count }) => [{ state }, count]) ?? [],
  }),
  pricetape_accuracy_publication_hours: of('accuracy', {
    help: 'Hours from the first sight of a changed price anywhere to its publication, in the day before the newest measure. Absent without changes.',
    labels: ['quantile'],
    values: ([newest]) =>
      ([['0.5', newest?.hoursMedian], ['0.9', newest?.hoursP90]] as const).flatMap(([quantile, hours]): Values =>
        typeof hours === 'number' ? [[{ quantile }, hours]] : [],
      ), // biome-ignore format: one thought
  }),
  pricetape_accuracy_measured_timestamp_seconds: of('accuracy', {
    help: 'When served prices were last compared with their sources. Absent before the first time.',
    values: ([newest]) => (newest ? [[{}, epochMs(newest.measuredAt) / SECOND]] : []),
  }),
  pricetape_log_leaves: of('log', {
    help: 'Leaves of the publication log.',
    values: ({ leaves }) => [[{}, leaves]],
  }),
  pricetape_log_leaves_waiting: of('log', {
    help: 'Changes of rows that are published and have no leaf yet. 100000 says "at least".',
    values: ({ waiting }) => [[{}, waiting]],
  }),
  pricetape_sources: of('sources', {
    help: 'Declared sources by freshness: fresh, stale, unknown (never read).',
    labels: ['freshness'],
    values: (sources) =>
      counted(
        'freshness',
        ['fresh', 'stale', 'unknown'],
        (wanted) => sources.filter(({ freshness }) => freshness === wanted).length,
      ),
  }),
  pricetape_source_last_success_timestamp_seconds: of('sources', {
    help: 'When each declared source was last read without a problem. Absent for one that never was.',
    labels: ['source'],
    values: (sources) =>
      sources.flatMap(({ source, lastGoodAt }): [Labels, number][] =>
        lastGoodAt ? [[{ source }, epochMs(lastGoodAt) / SECOND]] : [],
      ),
  }),
  pricetape_check_last_finished_timestamp_seconds: of('checks', {
    help: 'When the newest check finished. Absent before the first.',
    values: ({ last }) => (last ? [[{}, epochMs(last.finishedAt) / SECOND]] : []),
  }),
  pricetape_workers: of('checks', {
    help: 'Worker processes that reported within 45 seconds.',
    values: ({ workers }) => [[{}, workers]],
  }),
  pricetape_database_connections: of('connections', {
    help: 'Connections to the database, by application and state.',
    labels: ['application', 'state'],
    values: (connections) => connections.map(({ application, state, count }) => [{ application, state }, count]),
  }),
  pricetape_database_round_trip_seconds: of('pool', {
    help: 'Time that a statement of a few rows took just now, with the wait for a free connection of this process.',
    values: ({ roundTripSeconds }) => [[{}, roundTripSeconds]],
  }),
  pricetape_database_pool_connections_max: of('pool', {
    help: 'Connections that this process opens at most.',
    values: ({ size }) => [[{}, size]],
  }),
}

/** Registers the gauges that are read from the database when someone scrapes. While it does not answer they are absent. */
export function registerInstallationGauges(registry: Registry, sql: Sql): void {
  const read = sharedReading(READ_EVERY_MS, () => readGauges(sql))
  for (const [name, { help, labels = [], values }] of Object.entries(INSTALLATION_GAUGES)) {
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [registry],
      async collect() {
        const state = await read()
        this.reset()
        if (labels.length === 0) this.remove()
        for (const [given, value] of values(state)) this.set(given, value)
      },
    })
  }
  new Gauge({
    name: 'pricetape_database_up',
    help: '1 while the database answers this process, else 0.',
    registers: [registry],
    async collect() {
      this.set((await read()).up ? 1 : 0)
    },
  })
}

const sum = (rows: { count: number }[]): number => rows.reduce((total, { count }) => total + count, 0)
