import { MockActivityEnvironment } from '@temporalio/testing'
import { expect, it } from 'vitest'
import { retentionActivities } from '../../activities/retention.ts'
import { drawTokens } from '../../src/accounts/limits/rate-limit-store.ts'
import { keepSnapshots, storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import { editWebhook } from '../../src/webhooks/manage/edit-webhook.ts'
import { testDatabase } from '../support/database.ts'
import { addDeliveries, addWebhook, testContext } from '../support/webhooks/deliveries.ts'
import {
  addProviders,
  addWorkspace,
  matchAll,
  operator,
  receivers,
  record,
  addWebhook as subscribe,
  tools,
} from '../support/webhooks/subscriptions.ts'

const OLD = '2026-01-01T00:00:00.000Z' as Instant
const NOW = plus(OLD, 31 * DAY)
const YOUNG = plus(NOW, -29 * DAY)

const db = testDatabase({ each: true })
const retain = (beat: (total: number) => void = () => {}) => {
  const { deleteOld } = retentionActivities(testContext(db.sql, undefined as never))
  const environment = new MockActivityEnvironment()
  environment.on('heartbeat', beat)
  return environment.run(deleteOld, { now: NOW })
}
const count = async (table: string) => (await db.sql`select count(*)::int as n from ${db.sql(table)}`)[0]!.n as number

it('deletes old events when no delivery needs them any more, and leaves those that are not matched yet', async () => {
  const hook = await addWebhook(db.sql, { url: 'https://example.com', at: OLD })
  const [finished, waiting] = await addDeliveries(db.sql, hook, { at: OLD, count: 2 })
  await addDeliveries(db.sql, hook, { at: YOUNG })
  await db.sql`
    update delivery set status = 'succeeded', due_at = null, finished_at = ${OLD}, last_attempt_at = ${OLD}
    where delivery_id = ${finished!}`
  await db.sql`
    insert into event (seq, event_id, type, eligible_at, body, matched_at)
    values (100, 'evt_old', 'price.changed', ${OLD}, '{}', ${OLD}), (101, 'evt_young', 'price.changed', ${YOUNG}, '{}', ${OLD}),
           (102, 'evt_unmatched', 'price.changed', ${OLD}, '{}', null)`
  expect(await retain()).toMatchObject({ deliveries: 1, events: 2 })
  const left = await db.sql`select event_id as id from event where event_id not in (select event_id from delivery)`
  expect(left.map((row) => row.id).sort()).toEqual(['evt_unmatched', 'evt_young'])
  expect(await db.sql`select 1 from delivery where delivery_id = ${waiting!}`).toHaveLength(1)
  expect(await retain()).toMatchObject({ deliveries: 0, events: 0 })
})

it('deletes old snapshots that nothing refers to, and keeps every one that history was derived from', async () => {
  await addProviders(db.sql, ['acme'])
  await db.sql`insert into source (source, kind, format, interval_seconds) values ('acme', 'prices', 'curated', 300)`
  const store = (text: string, at = OLD) => storeSnapshot(db.sql, { bytes: Buffer.from(text), at })
  const hashes = {
    lastRead: await store('last read'),
    ingested: await store('ingested'),
    priced: await store('priced'),
    announced: await store('announced'),
    document: await store('document'),
    changed: await store('changed'),
    young: await store('young', YOUNG),
    unchanged: await store('unchanged'),
    quarantined: await store('quarantined'),
    forgotten: await store('forgotten'),
  }
  await db.sql`update source set snapshot_hash = ${hashes.lastRead}, ingested_hash = ${hashes.ingested}`
  const fetched = async (outcome: string, hash: string, at = OLD) =>
    db.sql`insert into source_fetch (source, at, outcome, snapshot_hash) values ('acme', ${at}, ${outcome}, ${hash})`
  await fetched('changed', hashes.changed)
  await fetched('unchanged', hashes.unchanged)
  await fetched('quarantined', hashes.quarantined)
  await fetched('unchanged', hashes.young, YOUNG)
  await db.sql`
    insert into document (source, provider, document, title, url, updated_at)
    values ('acme', 'acme', 'terms', 'Terms', 'https://acme.example', ${OLD})`
  await db.sql`
    insert into document_version (source, status, first_seen_at, last_seen_at, snapshot_hash, extractor, markdown, text_hash, normal_hash)
    values ('acme', 'expired', ${OLD}, ${OLD}, ${hashes.document}, 'x', '', '', '')`
  await db.sql`
    with line as (
      insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
      values ('acme', 'acme', 'm1', 'input_tokens', 'usd_per_token', 'USD', '{}') returning line_id)
    insert into price_row (content_hash, line_id, price, recorded_at, snapshot_hash, parser_version)
    select ${'a'.repeat(64)}, line_id, 1, ${OLD}, ${hashes.priced}, 1 from line`
  await db.sql`
    insert into upcoming_price (source, provider, resource, dimension, unit, currency, pricing_tier, price, begins_at,
      effective_from, snapshot_hash, locator, parser_version, first_seen_at, last_seen_at, ended_at, ended_because)
    values ('acme', 'acme', 'm1', 'input_tokens', 'usd_per_token', 'USD', '{}', 2, ${YOUNG}, '2026-01-01',
            ${hashes.announced}, '/', 1, ${OLD}, ${OLD}, ${YOUNG}, 'begun')`

  expect(await retain()).toMatchObject({ fetches: 2, snapshots: 3 })
  const left = await db.sql<{ hash: string }[]>`select hash from snapshot`
  const { unchanged, quarantined, forgotten, ...kept } = hashes
  expect(left.map((row) => row.hash).sort()).toEqual(Object.values(kept).sort())
  expect(await count('source_fetch')).toBe(2)
})

it('deletes what is 30 days old to the millisecond, and nothing younger', async () => {
  const last = plus(NOW, -30 * DAY)
  const next = plus(last, 1)
  await db.sql`
    insert into source (source, kind, format, interval_seconds) values ('limit', 'prices', 'curated', 300)`
  for (const [n, at] of [last, next].entries()) {
    await db.sql`
      insert into event (seq, event_id, type, eligible_at, body, matched_at)
      values (${900 + n}, ${`evt_limit_${n}`}, 'price.changed', ${at}, '{}', ${at})`
    await db.sql`insert into source_fetch (source, at, outcome) values ('limit', ${at}, 'unchanged')`
    await db.sql`
      insert into check_run (run_id, started_at, finished_at, problems) values (${`limit-${n}`}, ${at}, ${at}, '{}')`
    await storeSnapshot(db.sql, { bytes: Buffer.from(`limit ${n}`), at })
  }
  expect(await retain()).toMatchObject({ events: 1, fetches: 1, checkRuns: 1, snapshots: 1 })
  expect(await db.sql`select event_id from event where event_id like 'evt_limit%'`).toEqual([
    { event_id: 'evt_limit_1' },
  ])
  expect(await db.sql`select at from source_fetch where source = 'limit'`).toEqual([{ at: next }])
  expect(await db.sql`select run_id from check_run`).toEqual([{ run_id: 'limit-1' }])
})

it('deletes all that is old, though it is more than one transaction deletes', async () => {
  await db.sql`insert into source (source, kind, format, interval_seconds) values ('acme', 'prices', 'curated', 300)`
  await db.sql`
    insert into source_fetch (source, at, outcome)
    select 'acme', ${OLD}::timestamptz - n * interval '1 s', 'failed' from generate_series(1, 2001) as n`
  const beats: number[] = []
  expect(await retain((total) => void beats.push(total))).toMatchObject({ fetches: 2001 })
  expect(beats).toEqual([0, 0, 0, 1_000, 2_000, 2_001, 0, 0, 0, 0])
  expect(await count('source_fetch')).toBe(0)
})

it('deletes sessions, links, invitations and failed sign-ins when their time is over, and none that lasts', async () => {
  const { sql } = db
  await sql`
    insert into workspace (workspace_id, name, created_at) values (uuidv7(), 'Limit', now())`
  await sql`
    insert into account (email, email_key, name, password_hash, created_at) values ('a@b.example', 'a@b.example', 'A', '', now())`
  // An hour longer than the time that each is kept, and an hour less.
  for (const hour of [sql`interval '1 hour'`, sql`interval '-1 hour'`]) {
    const name = sql`(${hour})::text`
    const inserted = [
      sql`
        insert into session (token_hash, account_id, created_at, last_seen_at, expires_at, address, user_agent)
        select sha256((${name} || kind)::bytea), account_id, now(),
               case kind when 'idle' then now() - interval '14 days' - ${hour} else now() end,
               case kind when 'idle' then now() + interval '76 days' else now() - ${hour} end, '', ''
        from account, unnest(array['idle', 'expired']) as kind`,
      sql`
        insert into account_link (kind, email_key, email, token_hash, created_at, expires_at)
        values ('sign_up', ${name}, '', sha256(${name}::bytea), now(), now() - ${hour})`,
      sql`
        insert into invitation (workspace_id, email, email_key, role, token_hash, mailed, invited_by, created_at, expires_at)
        select workspace_id, '', '', 'member', sha256(${name}::bytea), false, account_id,
               now() - interval '14 days' - ${hour}, now() - interval '7 days' - ${hour} from workspace, account
        where workspace.name = 'Limit'`,
      sql`
        insert into sign_in_failure (email_hash, failures, last_at, blocked_until)
        values (sha256(${name}::bytea), 1, now() - interval '1 day' - ${hour}, now())`,
      sql`
        insert into known_browser (token_hash, account_id, created_at, last_used_at)
        select sha256(${name}::bytea), account_id, now(), now() - interval '400 days' - ${hour} from account`,
    ]
    for (const insert of inserted) await insert
  }
  expect(await retain()).toMatchObject({ accounts: 6 })
  for (const [table, left] of Object.entries({
    session: 2,
    account_link: 1,
    invitation: 1,
    sign_in_failure: 1,
    known_browser: 1,
  }))
    expect([table, await count(table)]).toEqual([table, left])
})

it('forgets rate buckets that are full again', async () => {
  await drawTokens(db.sql, [{ kind: 'address', owner: '192.0.2.1' }])
  await drawTokens(db.sql, [{ kind: 'address', owner: '192.0.2.2' }])
  await db.sql`
    update rate_bucket
    set full_at = clock_timestamp() + case when key like '%192.0.2.1' then interval '-1 second' else interval '1 hour' end`
  expect(await retain()).toMatchObject({ rateBuckets: 1 })
  expect(await retain()).toMatchObject({ rateBuckets: 0 })
  expect(await count('rate_bucket')).toBe(1)
})

it('deletes what webhooks wanted before an edit once no event can meet it, and matches each event as before', async () => {
  const resource = (name: string) => ({ openai: { resources: [name], documents: [] } })
  await addProviders(db.sql, ['openai'])
  const workspace = await addWorkspace(db.sql)
  const wanted = { eventTypes: ['price.changed' as const], providers: ['openai'] }
  const id = await subscribe(db.sql, workspace, { ...wanted, filters: resource('gpt-1') })
  const edit = (name: string) =>
    editWebhook(operator(db.sql), tools, { id, workspaceId: workspace }, { filters: resource(name) })
  const change = async (name: string) =>
    (await record(db.sql, { type: 'price.changed', provider: 'openai', resources: [name], payload: {} }))[0]!
  const versions = async () =>
    (await db.sql`select resources from webhook_filter order by valid_from`).map((row) => row.resources[0])

  await edit('gpt-2')
  const met = await change('gpt-2')
  const missed = await change('gpt-1')
  await edit('gpt-3')
  await edit('gpt-4')
  expect(await retain()).toMatchObject({ webhookVersions: 1 })
  expect(await versions()).toEqual(['gpt-2', 'gpt-3', 'gpt-4'])
  expect(await matchAll(db.sql)).toBe(1)
  expect([...(await receivers(db.sql, met)).keys()]).toEqual([id])
  expect((await receivers(db.sql, missed)).size).toBe(0)

  expect(await retain()).toMatchObject({ webhookVersions: 2 })
  expect(await versions()).toEqual(['gpt-4'])
  const next = await change('gpt-4')
  expect(await matchAll(db.sql)).toBe(1)
  expect([...(await receivers(db.sql, next)).keys()]).toEqual([id])
})

it('deletes a version that ended at the very instant of the oldest event that waits, of hundreds that ended', async () => {
  const hook = await addWebhook(db.sql, { url: 'https://example.com', at: OLD })
  await db.sql`
    insert into webhook_version (webhook_id, valid_from, valid_to, event_types, every_provider, providers, by_groups)
    select ${hook.id}, ${OLD}::timestamptz + n * interval '1 s', ${OLD}::timestamptz + (n + 1) * interval '1 s', '{}', true, '{}', false
    from generate_series(0, 149) n`
  await db.sql`
    insert into event (seq, event_id, type, eligible_at, body)
    values (1, 'evt_waits', 'price.changed', ${plus(OLD, 120_000)}, '{}'), (2, 'evt_later', 'price.changed', ${NOW}, '{}')`
  expect(await retain()).toMatchObject({ webhookVersions: 120 })
  const [oldest] = await db.sql`select min(valid_to) as at from webhook_version`
  expect(oldest).toEqual({ at: plus(OLD, 121_000) })
})

it('deletes the links of mails about watches of long ago', async () => {
  await db.sql`
    insert into account (email, email_key, name, password_hash, created_at) values ('l@b.example', 'l@b.example', 'L', '', now())`
  await db.sql`
    insert into unsubscribe_link (token_hash, account_id, frequency, created_at)
    select sha256(age::text::bytea), account_id, 'daily', now() - age * interval '1 day' from account, unnest(array[0, 4000]) age`
  expect(await retain()).toMatchObject({ unsubscribeLinks: 1 })
  expect(await retain()).toMatchObject({ unsubscribeLinks: 0 })
  expect(await count('unsubscribe_link')).toBe(1)
})

it('leaves a snapshot whose prices are being recorded', async () => {
  const hash = await storeSnapshot(db.sql, { bytes: Buffer.from('being read'), at: OLD })
  const recording = db.sql.begin(async (tx) => {
    await keepSnapshots(tx, [hash])
    expect(await retain()).toMatchObject({ snapshots: 0 })
  })
  await recording
  expect(await retain()).toMatchObject({ snapshots: 1 })
  await expect(db.sql.begin((tx) => keepSnapshots(tx, [hash]))).rejects.toThrow(/deleted while its prices/)
})
