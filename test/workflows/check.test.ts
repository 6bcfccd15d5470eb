import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../src/events/schema.ts'
import { newestCheckRun } from '../../src/monitoring/check-run-store.ts'
import { createWebhook } from '../../src/webhooks/subscriptions/create-webhook.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/servers/ports.ts'
import { timeSkipping } from '../support/servers/temporal.ts'
import { addDeliveries, addWebhook, TEST_KEY } from '../support/webhooks/deliveries.ts'
import { deliverySystem } from '../support/webhooks/delivery-system.ts'
import { addProviders, addWorkspace, record } from '../support/webhooks/subscriptions.ts'

const NOTICES_PORT = await freePort()

describe('a check', () => {
  let notices = 0
  /** Takes no notice: each connection ends before an answer. */
  const operator = createTcpServer((socket) => {
    notices++
    socket.destroy()
  })
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-sources-'))
  const file = join(folder, 'sources.json')
  const db = testDatabase()
  const system = deliverySystem(db, timeSkipping(), {
    PRICETAPE_SOURCES: file,
    PRICETAPE_OPERATOR_WEBHOOK: `http://127.0.0.1:${NOTICES_PORT}/`,
    PRICETAPE_OPERATOR_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  })
  const source = heldSource()

  beforeAll(async () => {
    await new Promise<void>((done) => operator.listen(NOTICES_PORT, '127.0.0.1', done))
    writeFileSync(
      file,
      JSON.stringify({ sources: [{ source: 'list', format: 'genai-prices', url: await source.start() }] }),
    )
  })
  afterAll(async () => {
    await source.stop()
    operator.close()
    rmSync(folder, { recursive: true })
  })

  it('delivers what is due while collecting goes on, and what collecting finds in the same check', async () => {
    source.answerAtOnce(2)
    await system.check()
    await subscribeToEverything()
    // Due, and quick: on a loaded machine the first check may take so long that a workflow of its own would collect it.
    await db.sql`update source set next_due_at = '2020-01-01T00:00:00Z', last_duration_ms = 1`

    source.hold()
    const due = await newDelivery()
    const checking = system.check()
    // The source holds its answer, so collecting has not ended when the delivery arrives.
    await system.eventually(async () => expect(source.isHeld()).toBe(true))
    await system.eventually(async () => expect(received()).toContain(due))

    source.release(2.1)
    const report = await checking
    expect(report.problems).toEqual([])
    expect(report.collected?.collected).toMatchObject([{ source: 'list', outcome: 'changed', published: 1 }])
    expect(report.fannedOut).toEqual({ events: 1, deliveries: 1 })
    expect(report.delivered).toMatchObject({ started: 2, succeeded: 2, failed: 0 })
    expect(system.receiver.requests.map(({ body }) => JSON.parse(body).type)).toContain('price.changed.acme')
  })

  it('delivers to others while one change is matched with many webhooks, and the change itself too', async () => {
    // What other tests have left is due as well, and the source may be.
    source.answerAtOnce(2)
    await system.check()
    await db.sql`update source set next_due_at = '2100-01-01T00:00:00Z'`
    await db.sql`delete from webhook`
    await addProviders(db.sql, ['openai'])
    const at = await system.now()
    const { id, workspaceId } = await addWebhook(db.sql, { url: system.receiver.url, at })
    await addVersion(id)
    // 60,000 that want nothing, before it: three parts.
    await db.sql`
      insert into webhook (webhook_id, workspace_id, name, url, created_at, updated_at)
      select ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid, ${workspaceId}, 'Hook', 'https://a.example', ${at}, ${at}
      from generate_series(1, 60000) n`
    const due = await newDelivery()
    // The first part takes longer than a round waits for matching; the others wait until the test lets them go on.
    await db.sql.unsafe(`
      create sequence part;
      create function wait_a_while() returns trigger language plpgsql as $$ begin
        if nextval('part') = 1 then perform pg_sleep(3); else perform pg_advisory_xact_lock_shared(4711); end if;
        return null;
      end $$;
      create trigger slow before insert on delivery for each statement execute function wait_a_while()`)
    const gate = await db.sql.reserve()
    await gate`select pg_advisory_lock(4711)`
    try {
      const [event] = await record(db.sql, { type: 'price.changed', provider: 'openai', payload: {} })
      const checking = system.check()
      await system.eventually(async () => expect(received()).toContain(due))
      const [row] =
        await db.sql`select matched_at, matched_to is not null as partly from event where event_id = ${event!}`
      expect(row).toEqual({ matched_at: null, partly: true })
      await gate`select pg_advisory_unlock(4711)`
      const report = await checking
      expect(report.problems).toEqual([])
      expect(report.fannedOut).toEqual({ events: 1, deliveries: 1 })
      expect(report.delivered).toMatchObject({ started: 2, succeeded: 2 })
      expect(received()).toContain(event)
    } finally {
      await gate`select pg_advisory_unlock_all()`
      gate.release()
      await db.sql.unsafe('drop trigger slow on delivery; drop function wait_a_while; drop sequence part')
      await db.sql`delete from webhook where webhook_id < '00000001-0000-0000-0000-000000000000'`
    }
  })

  it('is recorded when it has finished, by the database’s clock', async () => {
    source.answerAtOnce(2)
    const [before] = await db.sql<{ now: string }[]>`select clock_timestamp()::timestamptz(3) as now`
    expect((await system.check()).problems).toEqual([])
    const run = await newestCheckRun(db.sql)
    expect(run).toMatchObject({ problems: [] })
    expect(run!.finishedAt >= before!.now).toBe(true)
    expect(run!.finishedAt >= run!.startedAt).toBe(true)
  })

  it('says for operators that a notice did not reach them in two attempts, and tries again at the next check', async () => {
    source.answerAtOnce(2)
    await system.check()
    await db.sql`
      insert into review (source, provider, kind, reasons, opened_at)
      values ('list', 'acme', 'snapshot', '{no_prices}', '2025-01-01T00:00:00Z')`
    expect((await system.check()).problems).toEqual([
      expect.stringMatching(/^Notifying operators failed: webhook did not get the notice of 1 review items: /),
    ])
    expect(notices).toBe(2)
    const run = await newestCheckRun(db.sql)
    expect(run!.problems[0]).toMatch(/^Notifying operators failed: /)
    await db.sql`delete from review where kind = 'snapshot'`
    expect((await system.check()).problems).toEqual([])
  })

  async function newDelivery(): Promise<string> {
    const at = await system.now()
    const hook = await addWebhook(db.sql, { url: system.receiver.url, at })
    const [id] = await addDeliveries(db.sql, hook, { at })
    const [row] = await db.sql<
      { eventId: string }[]
    >`select event_id as "eventId" from delivery where delivery_id = ${id!}`
    return row!.eventId
  }
  async function subscribeToEverything() {
    const body = { name: 'All', url: system.receiver.url, providers: ['*'], eventTypes: [...EVENT_TYPES] }
    await createWebhook(db.sql, { secretKey: TEST_KEY, checkUrl: async () => {} }, await addWorkspace(db.sql), body)
  }
  const addVersion = (webhookId: string) => db.sql`
    insert into webhook_version (webhook_id, valid_from, event_types, every_provider, providers, by_groups)
    values (${webhookId}, '2000-01-01', ${[...EVENT_TYPES]}::text[], true, '{}', false)`
  const received = () => system.receiver.requests.map(({ headers }) => headers['webhook-id'])
})

/** A price list that answers at once, or when it is released. */
function heldSource() {
  const waiting: ServerResponse[] = []
  let price: number | undefined
  const list = (price: number) =>
    JSON.stringify([{ id: 'acme', name: 'Acme', models: [{ id: 'm', prices: { input_mtok: price } }] }])
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end()
    else if (price === undefined) waiting.push(response)
    else response.end(list(price))
  })
  return {
    start: async () => {
      await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.json`
    },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
    answerAtOnce: (usd: number) => {
      price = usd
    },
    hold: () => {
      price = undefined
    },
    isHeld: () => waiting.length > 0,
    release: (usd: number) => {
      for (const response of waiting.splice(0)) response.end(list(usd))
    },
  }
}
