import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MockActivityEnvironment } from '@temporalio/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deliveryActivities } from '../../activities/deliveries.ts'
import { monitoringActivities } from '../../activities/monitoring.ts'
import type { Api } from '../../src/api/route.ts'
import { readConfig } from '../../src/lib/config.ts'
import { instantOf, plus } from '../../src/lib/instant.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { connect } from '../../src/lib/sql.ts'
import { countWaiting } from '../../src/monitoring/count-waiting.ts'
import { registerInstallationGauges } from '../../src/monitoring/metrics/installation-gauges.ts'
import { createMetrics, type Metrics } from '../../src/monitoring/metrics/metrics.ts'
import { createSupervisorMetrics } from '../../src/monitoring/metrics/supervisor-metrics.ts'
import { readHealth } from '../../src/monitoring/read-health.ts'
import { createWorkRecorder } from '../../src/monitoring/record-work.ts'
import { serveMonitoring } from '../../src/monitoring/serve-monitoring.ts'
import { buildServer } from '../../src/server.ts'
import { listFailingWebhooks } from '../../src/webhooks/log/list-failing-webhooks.ts'
import type { RoundReport } from '../../src/webhooks/rounds/round-schema.ts'
import { ask, newKey } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/servers/ports.ts'
import { type Receiver, startReceiver } from '../support/servers/receiver.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'
import { addDeliveries, addWebhook, testContext } from '../support/webhooks/deliveries.ts'

const silent = pino({ level: 'silent' })
const ROOT = join(import.meta.dirname, '../..')

/** Returns the value of one line of a scrape; undefined where there is none. */
async function readValue(metrics: Pick<Metrics, 'registry'>, line: string): Promise<number | undefined> {
  const text = await metrics.registry.metrics()
  const found = text.split('\n').find((given) => given.startsWith(`${line} `))
  return found === undefined ? undefined : Number(found.slice(line.length + 1))
}

describe('metrics', () => {
  const db = testDatabase({ each: true, isNew: true })
  let receiver: Receiver
  let metrics: Metrics
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver.close())
  beforeEach(() => {
    metrics = createMetrics('test')
  })

  describe('of requests', () => {
    let server: Api
    beforeEach(async () => {
      server = await buildServer({ sql: db.sql, config: readConfig({}), log: silent, metrics })
    })
    afterEach(() => server.close())

    it('count answers by route pattern, method, status and error code', async () => {
      const key = await newKey(db.sql)
      const authorization = `Bearer ${key}`
      const began = performance.now()
      await ask(server, '/v1/providers', { authorization })
      await ask(server, '/v1/catalog?provider=none', { authorization })
      await ask(server, '/v1/nothing/of/the/kind')
      const seconds = 'pricetape_http_request_duration_seconds_count'
      expect(await readValue(metrics, `${seconds}{method="GET",route="/v1/providers",status="200"}`)).toBe(1)
      expect(await readValue(metrics, `${seconds}{method="GET",route="/v1/catalog",status="404"}`)).toBe(1)
      expect(await readValue(metrics, `${seconds}{method="GET",route="none",status="404"}`)).toBe(1)
      const sum = `pricetape_http_request_duration_seconds_sum{method="GET",route="/v1/providers",status="200"}`
      expect(await readValue(metrics, sum)).toBeGreaterThan(0)
      expect(await readValue(metrics, sum)).toBeLessThanOrEqual((performance.now() - began) / 1_000)
      await server.inject({ method: 'PROPFIND' as 'GET', url: '/v1/providers' })
      expect(await readValue(metrics, `${seconds}{method="other",route="none",status="405"}`)).toBe(1)
      const errors = 'pricetape_http_errors_total'
      expect(await readValue(metrics, `${errors}{route="/v1/catalog",code="provider_not_found"}`)).toBe(1)
      expect(await readValue(metrics, `${errors}{route="/v1/providers",code="provider_not_found"}`)).toBeUndefined()
    })
  })

  describe('of deliveries', () => {
    function activities() {
      const ctx = { ...testContext(db.sql, undefined as never), log: silent, metrics }
      const { post } = createSafeFetch({ allowPrivate: true })
      const record = createWorkRecorder(ctx)
      const workflows = undefined as never
      return { ...deliveryActivities(ctx, { post, workflows, record }), ...monitoringActivities(ctx, { record }) }
    }

    it('count attempts by result, with how late they were sent', async () => {
      const now = instantOf(Date.now())
      receiver.answer(({ path }) => ({ status: path.endsWith('good') ? 204 : 500 }))
      for (const path of ['good', 'bad']) {
        const webhook = await addWebhook(db.sql, { url: `${receiver.url}/${path}`, at: now })
        const [deliveryId] = await addDeliveries(db.sql, webhook, { at: plus(now, -90_000) })
        await activities().attempt({ deliveryId: deliveryId!, cycle: 1, number: 1, run: 1, now })
      }
      expect(await readValue(metrics, 'pricetape_attempts_total{result="succeeded"}')).toBe(1)
      expect(await readValue(metrics, 'pricetape_attempts_total{result="failed"}')).toBe(1)
      expect(await readValue(metrics, 'pricetape_attempt_duration_seconds_count{result="failed"}')).toBe(1)
      const lag = 'pricetape_delivery_lag_seconds_bucket'
      expect(await readValue(metrics, `${lag}{le="60",attempt="first"}`)).toBe(0)
      expect(await readValue(metrics, `${lag}{le="120",attempt="first"}`)).toBe(2)
    })

    it('know how long after its publication a change was first sent, where the endpoint took the last attempt', async () => {
      const now = instantOf(Date.now())
      receiver.answer(() => ({ status: 204 }))
      const [good, failing] = [
        await addWebhook(db.sql, { url: receiver.url, at: now }),
        await addWebhook(db.sql, { url: receiver.url, at: now }),
      ]
      await db.sql`update webhook set failures_in_row = 1, first_failure_at = ${now} where webhook_id = ${failing.id}`
      const attempted = async (webhook: typeof good, minutes: number, more = {}) => {
        const [deliveryId] = await addDeliveries(db.sql, webhook, { at: plus(now, -minutes * 60_000) })
        const key = { deliveryId: deliveryId!, cycle: 1, number: 1, run: 1, ...more }
        await db.sql`update delivery set cycle = ${key.cycle}, attempts = ${key.number - 1} where delivery_id = ${deliveryId!}`
        await activities().attempt({ ...key, now })
      }
      await attempted(good, 9)
      await attempted(good, 12)
      await attempted(good, 40, { number: 2 })
      await attempted(good, 40, { cycle: 2 })
      await attempted(failing, 40)
      const seconds = 'pricetape_delivery_publication_seconds'
      expect(await readValue(metrics, `${seconds}_bucket{le="600"}`)).toBe(1)
      expect(await readValue(metrics, `${seconds}_count`)).toBe(2)
    })

    it('lead to the failing webhook, its delivery and the reason', async () => {
      const now = instantOf(Date.now())
      receiver.answer(({ path }) => ({ status: path.endsWith('good') ? 204 : 503 }))
      const [good, bad] = [
        await addWebhook(db.sql, { url: `${receiver.url}/good`, at: now }),
        await addWebhook(db.sql, { url: `${receiver.url}/bad`, at: now }),
      ]
      const deliveries = await Promise.all([good, bad].map((webhook) => addDeliveries(db.sql, webhook, { at: now })))
      for (const [deliveryId] of deliveries)
        await activities().attempt({ deliveryId: deliveryId!, cycle: 1, number: 1, run: 1, now })
      expect(await listFailingWebhooks(db.sql)).toEqual([
        {
          id: bad.id,
          name: 'Orders',
          workspace: 'Acme',
          state: 'active',
          failuresInRow: 1,
          firstFailureAt: expect.any(String),
          pausedReason: null,
          deliveryId: deliveries[1]![0],
          attemptedAt: now,
          reason: expect.stringMatching(/^HTTP 503 after \d+ ms$/),
        },
      ])
    })

    it('count an attempt that no one finished as unknown', async () => {
      const now = instantOf(Date.now())
      const webhook = await addWebhook(db.sql, { url: `${receiver.url}/good`, at: now })
      const [deliveryId] = await addDeliveries(db.sql, webhook, { at: now })
      await db.sql`insert into attempt (delivery_id, cycle, number, run, started_at) values (${deliveryId!}, 1, 1, 1, ${now})`
      await activities().attempt({ deliveryId: deliveryId!, cycle: 1, number: 1, run: 1, now })
      expect(await readValue(metrics, 'pricetape_attempts_total{result="unknown"}')).toBe(1)
    })

    it('count checks by result', async () => {
      const { recordCheck } = activities()
      await recordCheck({ runId: randomUUID(), durationMs: 61_000, problems: [] })
      await recordCheck({ runId: randomUUID(), durationMs: 1_000, problems: ['Delivering failed: no.'] })
      expect(await readValue(metrics, 'pricetape_checks_total{result="ok"}')).toBe(1)
      expect(await readValue(metrics, 'pricetape_checks_total{result="problems"}')).toBe(1)
      expect(await readValue(metrics, 'pricetape_check_duration_seconds_bucket{le="60"}')).toBe(1)
    })

    it('know a round whose time ended while deliveries were due', async () => {
      const now = instantOf(Date.now())
      const { deliverDue, recordCheck } = activities()
      const check = async () => {
        const times = { roundId: randomUUID(), now, stopAt: now }
        const delivered: RoundReport = await new MockActivityEnvironment().run(deliverDue, times)
        await recordCheck({ runId: randomUUID(), durationMs: 1_000, problems: [], delivered })
      }
      await check()
      expect(await readValue(metrics, 'pricetape_rounds_total')).toBe(1)
      expect(await readValue(metrics, 'pricetape_rounds_cut_short_total')).toBe(0)
      const webhook = await addWebhook(db.sql, { url: `${receiver.url}/good`, at: now })
      await addDeliveries(db.sql, webhook, { at: now })
      await check()
      expect(await readValue(metrics, 'pricetape_rounds_total')).toBe(2)
      expect(await readValue(metrics, 'pricetape_rounds_cut_short_total')).toBe(1)
    })
  })

  describe('of the installation', () => {
    it('show what waits, for whom and since when', async () => {
      const now = instantOf(Date.now())
      const [active, failing, paused] = [
        await addWebhook(db.sql, { url: 'https://a.example', at: now }),
        await addWebhook(db.sql, { url: 'https://b.example', at: now }),
        await addWebhook(db.sql, { url: 'https://c.example', at: now }),
      ]
      await db.sql`update webhook set failures_in_row = 2, first_failure_at = ${now} where webhook_id = ${failing.id}`
      await db.sql`update webhook set state = 'paused', paused_at = ${now}, paused_reason = 'x' where webhook_id = ${paused.id}`
      await addDeliveries(db.sql, active, { count: 3, at: plus(now, -600_000) })
      await addDeliveries(db.sql, paused, { count: 2, at: now })
      await addDeliveries(db.sql, failing, { count: 4, at: plus(now, 60_000) })
      const [claimed] = await addDeliveries(db.sql, failing, { at: now })
      await db.sql`update delivery set claimed_at = ${now} where delivery_id = ${claimed!}`
      await db.sql`
        insert into source (source, kind, format, primary_source, interval_seconds, last_good_at)
        values ('fresh', 'prices', 'x', true, 300, ${now}), ('never', 'prices', 'x', true, 300, null),
               ('also', 'prices', 'x', true, 300, ${now}), ('gone', 'prices', 'x', true, 300, ${now})`
      await db.sql`update source set declared = false where source = 'gone'`
      await db.sql`
        insert into review (source, provider, kind, reasons, opened_at)
        values ('fresh', 'openai', 'change', '{large}', ${plus(now, -3_600_000 * 30)})`

      await countWaiting(db.sql)
      registerInstallationGauges(metrics.registry, db.sql)
      const value = (line: string) => readValue(metrics, `pricetape_${line}`)
      const waiting = await Promise.all(
        ['due', 'in_flight', 'later', 'paused'].map((state) => value(`deliveries_waiting{state="${state}"}`)),
      )
      expect(waiting).toEqual([3, 1, 4, 2])
      expect(await value('delivery_oldest_due_seconds')).toBeGreaterThanOrEqual(600)
      expect(await value('delivery_workspaces{state="active"}')).toBe(2)
      expect(await value('delivery_workspaces{state="late"}')).toBe(1)
      expect(await value('deliveries_counted_timestamp_seconds')).toBeGreaterThan(Date.parse(now) / 1_000 - 60)
      expect(await value('webhooks{state="active"}')).toBe(1)
      expect(await value('webhooks{state="failing"}')).toBe(1)
      expect(await value('webhooks{state="paused"}')).toBe(1)
      expect(await value('review_items{kind="prices",age="7d"}')).toBe(1)
      for (const labels of ['kind="document",age="1h"', 'kind="document",age="7d"', 'kind="prices",age="1h"'])
        expect(await value(`review_items{${labels}}`)).toBe(0)
      expect(await value('review_oldest_seconds')).toBeGreaterThanOrEqual(30 * 3_600)
      const freshness = ['fresh', 'stale', 'unknown'].map((state) => value(`sources{freshness="${state}"}`))
      expect(await Promise.all(freshness)).toEqual([2, 0, 1])
      expect(await value('source_last_success_timestamp_seconds{source="fresh"}')).toBeCloseTo(Date.parse(now) / 1_000)
      for (const source of ['never', 'gone'])
        expect(await value(`source_last_success_timestamp_seconds{source="${source}"}`)).toBeUndefined()
      expect(await value('check_last_finished_timestamp_seconds')).toBeUndefined()
      expect(await value('workers')).toBe(0)
      expect(await value('database_up')).toBe(1)
      expect(await value('database_pool_connections_max')).toBe(10)
      expect(await value('database_connections{application="pricetape test",state="active"}')).toBeGreaterThanOrEqual(1)
    })

    it('are read once for many scrapers', async () => {
      registerInstallationGauges(metrics.registry, db.sql)
      const other = createMetrics('other')
      const small = connect(db.url, { max: 3 })
      registerInstallationGauges(other.registry, small)
      await Promise.all(Array.from({ length: 20 }, () => metrics.registry.metrics()))
      await addWebhook(db.sql, { url: 'https://a.example', at: instantOf(Date.now()) })
      expect(await readValue(metrics, 'pricetape_webhooks{state="active"}')).toBe(0)
      expect(await readValue(other, 'pricetape_webhooks{state="active"}')).toBe(1)
      expect(await readValue(other, 'pricetape_database_pool_connections_max')).toBe(3)
      await small.end()
    })

    it('are known with 300,000 deliveries that are due: the database is up, and the alert for late ones can fire', async () => {
      const at = plus(instantOf(Date.now()), -3_600_000)
      const webhook = await addWebhook(db.sql, { url: 'https://a.example', at })
      const [id] = await addDeliveries(db.sql, webhook, { at })
      await db.sql.unsafe(`
        alter table delivery drop constraint delivery_webhook_id_fkey, drop constraint delivery_event_id_fkey,
          drop constraint delivery_webhook_id_event_id_key;
        drop index delivery_log, delivery_by_event;
        insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
        select webhook_id, workspace_id, event_id, due_at, created_at from delivery, generate_series(1, 300000)
        where delivery_id = '${id}'`)
      await countWaiting(db.sql)
      registerInstallationGauges(metrics.registry, db.sql)
      const scraped = performance.now()
      expect(await readValue(metrics, 'pricetape_delivery_oldest_due_seconds')).toBeGreaterThanOrEqual(3_600)
      expect(performance.now() - scraped).toBeLessThan(allowedMs(500))
      expect(await readValue(metrics, 'pricetape_database_up')).toBe(1)
      expect(await readValue(metrics, 'pricetape_deliveries_waiting{state="due"}')).toBe(300_001)
      const began = performance.now()
      expect((await readHealth(db.sql)).reasons.map(({ code }) => code)).toContain('deliveries_late')
      expect(performance.now() - began).toBeLessThan(allowedMs(1_000))
    }, 120_000)

    it('count what waits once for many workers, and again after 15 seconds', async () => {
      const counts = await Promise.all(Array.from({ length: 5 }, () => countWaiting(db.sql)))
      expect(counts.filter(Boolean)).toHaveLength(1)
      expect(await countWaiting(db.sql)).toBe(false)
      await db.sql`update waiting_deliveries set counted_at = clock_timestamp() - interval '16 seconds'`
      expect(await countWaiting(db.sql)).toBe(true)
      // A count that takes long is made less often.
      await db.sql`update waiting_deliveries set counted_at = clock_timestamp() - interval '16 seconds', took_ms = 2000`
      expect(await countWaiting(db.sql)).toBe(false)
      await db.sql`update waiting_deliveries set counted_at = clock_timestamp() - interval '41 seconds', took_ms = 2000`
      expect(await countWaiting(db.sql)).toBe(true)
      const [row] = await db.sql`select took_ms as took from waiting_deliveries`
      expect(row!.took).toBeLessThan(2_000)
    })

    it('say when deliveries were counted, in seconds since 1970', async () => {
      registerInstallationGauges(metrics.registry, db.sql)
      await countWaiting(db.sql)
      const countedAt = await readValue(metrics, 'pricetape_deliveries_counted_timestamp_seconds')
      expect(Math.abs(countedAt! - Date.now() / 1_000)).toBeLessThan(60)
    })

    it('say nothing of deliveries while no worker counts them', async () => {
      registerInstallationGauges(metrics.registry, db.sql)
      expect(await readValue(metrics, 'pricetape_delivery_workspaces{state="late"}')).toBeUndefined()
      expect(await readValue(metrics, 'pricetape_deliveries_counted_timestamp_seconds')).toBeUndefined()
      expect(await readValue(metrics, 'pricetape_database_up')).toBe(1)
    })

    it('are absent alone where one of them cannot be read in time', async () => {
      await countWaiting(db.sql)
      await db.sql.begin(async (other) => {
        await other`lock table review in access exclusive mode`
        registerInstallationGauges(metrics.registry, db.sql)
        expect(await readValue(metrics, 'pricetape_database_up')).toBe(1)
        expect(await readValue(metrics, 'pricetape_review_oldest_seconds')).toBeUndefined()
        expect(await readValue(metrics, 'pricetape_delivery_oldest_due_seconds')).toBe(0)
        expect(await readValue(metrics, 'pricetape_sources{freshness="fresh"}')).toBe(0)
        // The statement is ended too: scrapes that follow each other take one connection.
        const waiting = await db.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        expect(waiting).toHaveLength(0)
      })
    })

    it('say what the newest daily measure gave, and nothing before the first', async () => {
      const reading = async () => {
        const { registry } = createMetrics('test')
        registerInstallationGauges(registry, db.sql)
        return (name: string) => readValue({ registry }, `pricetape_accuracy_${name}`)
      }
      const none = await reading()
      expect(await none('prices{state="contradicted"}')).toBeUndefined()
      expect(await none('measured_timestamp_seconds')).toBeUndefined()
      await db.sql`
        insert into accuracy_run (day, measured_at, published, hours_median, hours_p90)
        values ('2026-11-20', '2026-11-20T03:00:00Z', 3, 9, 99), ('2026-11-21', '2026-11-21T03:00:00Z', 2, 1.5, 20)`
      await db.sql`
        insert into accuracy_day (day, provider, rank, by_provider, independent, own_list, contradicted, unconfirmed, said_day,
                                  said_week, said_month, said_before, published)
        values ('2026-11-20', 'acme', 0, 99, 99, 99, 99, 99, 0, 0, 0, 0, 0),
               ('2026-11-21', 'acme', 0, 10, 20, 30, 1, 2, 0, 0, 0, 0, 0),
               ('2026-11-21', 'acme', 2, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0)`
      const value = await reading()
      const states = ['provider', 'independent', 'own_list', 'contradicted', 'unconfirmed']
      const counts = await Promise.all(states.map((state) => value(`prices{state="${state}"}`)))
      expect(counts).toEqual([11, 22, 33, 5, 7])
      expect(await value('publication_hours{quantile="0.5"}')).toBe(1.5)
      expect(await value('publication_hours{quantile="0.9"}')).toBe(20)
      expect(await value('measured_timestamp_seconds')).toBe(Date.parse('2026-11-21T03:00:00Z') / 1_000)
      await db.sql`
        insert into accuracy_run (day, measured_at, published) values ('2026-11-22', '2026-11-22T03:00:00Z', 0)`
      const empty = await reading()
      for (const state of states) expect(await empty(`prices{state="${state}"}`)).toBe(0)
      expect(await empty('publication_hours{quantile="0.5"}')).toBeUndefined()
    })

    it('are absent, not zero, while the database is away', async () => {
      const away = connect(`postgres://nobody:x@127.0.0.1:${await freePort()}/none`)
      registerInstallationGauges(metrics.registry, away)
      expect(await readValue(metrics, 'pricetape_database_up')).toBe(0)
      expect(await readValue(metrics, 'pricetape_delivery_oldest_due_seconds')).toBeUndefined()
      expect(await readValue(metrics, 'pricetape_deliveries_waiting{state="due"}')).toBeUndefined()
      await away.end({ timeout: 0 })
    })

    it('count deliveries by index, not by reading the whole log', async () => {
      const now = instantOf(Date.now())
      const webhook = await addWebhook(db.sql, { url: 'https://a.example', at: now })
      await addDeliveries(db.sql, webhook, { count: 5_000, at: now })
      await db.sql`update delivery set status = 'succeeded', due_at = null, finished_at = ${now}`
      await addDeliveries(db.sql, webhook, { count: 10, at: now })
      await db.sql`vacuum analyze delivery`
      const readBefore = await tuplesRead()
      await countWaiting(db.sql)
      registerInstallationGauges(metrics.registry, db.sql)
      expect(await readValue(metrics, 'pricetape_deliveries_waiting{state="due"}')).toBe(10)
      expect((await tuplesRead()) - readBefore).toBeLessThan(100)
    })

    /** Rows of the delivery log that sequential scans have read. */
    async function tuplesRead(): Promise<number> {
      await db.sql`select pg_stat_force_next_flush()`
      const [row] = await db.sql<{ read: number }[]>`
        select seq_tup_read::int as read from pg_stat_user_tables where relname = 'delivery'`
      return row!.read
    }
  })
})

describe('the port for scrapers and probes', () => {
  it('answers metrics, health and the probes of its process, and nothing else', async () => {
    const metrics = createMetrics('test')
    let ready = false
    await using monitoring = await serveMonitoring({
      at: { host: '127.0.0.1', port: 0 },
      log: silent,
      registry: metrics.registry,
      probes: { '/readyz': async () => ({ status: ready ? 200 : 503, headers: {}, body: { ready } }) },
      more: async () => '# TYPE of_another_library counter\nof_another_library 1\n',
    })
    const get = async (path: string, method = 'GET') => {
      const answer = await fetch(`${monitoring.url}${path}`, { method })
      return [answer.status, await answer.text()] as const
    }
    const [status, text] = await get('/metrics')
    expect(status).toBe(200)
    expect(text).toContain('pricetape_build_info{version=')
    expect(text).toContain('\nof_another_library 1\n')
    expect(await get('/healthz')).toEqual([200, '{"status":"ok"}'])
    expect(await get('/readyz')).toEqual([503, '{"ready":false}'])
    ready = true
    expect(await get('/readyz')).toEqual([200, '{"ready":true}'])
    for (const path of ['/', '/v1/providers', '/constructor', '/readyz/reads']) expect((await get(path))[0]).toBe(404)
    expect((await get('/metrics', 'POST'))[0]).toBe(405)
    expect(await get('/healthz', 'HEAD')).toEqual([200, ''])
    const port = Number(new URL(monitoring.url).port)
    const second = serveMonitoring({
      at: { host: '127.0.0.1', port },
      log: silent,
      registry: metrics.registry,
      probes: {},
    })
    await expect(second).rejects.toThrow(`Port ${port} is taken. Set PRICETAPE_METRICS_PORT`)
    await monitoring[Symbol.asyncDispose]()
    await expect(fetch(`${monitoring.url}/healthz`)).rejects.toThrow('fetch failed')
  })
})

describe('the port for scrapers and probes, while a part of the process does not answer', () => {
  it('leaves out the metrics of another library, and answers a probe that fails with 500 and a line of the log', async () => {
    const lines: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
    await using monitoring = await serveMonitoring({
      ...{ at: { host: '127.0.0.1', port: 0 }, log, registry: createMetrics('test').registry },
      probes: { '/readyz': () => Promise.reject(new Error('it broke')) },
      more: () => Promise.reject(new Error('away')),
    })
    const scrape = await fetch(`${monitoring.url}/metrics?name=all`)
    expect([scrape.status, scrape.headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain/)])
    expect(await scrape.text()).toContain('pricetape_build_info{version=')
    expect(lines).toEqual([])
    expect((await fetch(`${monitoring.url}/readyz`)).status).toBe(500)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ path: '/readyz', err: { message: 'it broke' } }])
  })
})

describe('the metrics of npm start', () => {
  it('say of each of its processes whether it runs and how often it was started again', async () => {
    let states = [
      { process: 'api', up: true, restarts: 0 },
      { process: 'worker', up: false, restarts: 2 },
    ]
    const registry = createSupervisorMetrics(() => states)
    const shown = () =>
      Promise.all(
        ['api', 'worker'].flatMap((process) =>
          ['up', 'restarts_total'].map((name) =>
            readValue({ registry }, `pricetape_process_${name}{process="${process}"}`),
          ),
        ),
      )
    expect(await shown()).toEqual([1, 0, 0, 2])
    states = states.map((state) => ({ ...state, up: true, restarts: 3 }))
    expect(await shown()).toEqual([1, 3, 1, 3])
  })
})

describe('docs/metrics.md', () => {
  it('describes every metric, and no other', async () => {
    const { registry } = createMetrics('test')
    registerInstallationGauges(registry, undefined as never)
    const all = [registry, createSupervisorMetrics(() => [])].flatMap((given) => given.getMetricsAsArray())
    const text = await readFile(join(ROOT, 'docs', 'metrics.md'), 'utf8')
    const table = /\| Metric \| Labels \|[\s\S]*?\n\n/.exec(text)?.[0] ?? ''
    const documented = [...table.matchAll(/^\| `(pricetape_\w+)` \| ([^|]*)\|/gm)].map(([, name, labels]) => ({
      name,
      labels: [...labels!.matchAll(/`(\w+)`/g)].map(([, label]) => label),
    }))
    const registered = all.map((metric) => ({
      name: metric.name,
      labels: (metric as unknown as { labelNames: string[] }).labelNames,
    }))
    const byName = (a: { name?: string }, b: { name?: string }) => (a.name! < b.name! ? -1 : 1)
    expect(documented.sort(byName)).toEqual(registered.sort(byName))
  })
})
