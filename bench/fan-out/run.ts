/**
 * How long matching takes: one change to 10,000 webhooks that all want it, against inserting the same deliveries with
 * nothing decided, and a re-priced provider's 1,000 changes to 10,000 webhooks that want few of them.
 *   node --import tsx bench/fan-out/run.ts
 */
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import type { EventDraft } from '../../src/events/schema.ts'
import { recordEvents } from '../../src/events/store.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { matchEvents } from '../../src/webhooks/matching/match-events.ts'
import { PAIRS_PER_MATCH, pairsAfter } from '../../src/webhooks/matching/match-rules.ts'
import { startTestPostgres, TEMPLATE } from '../../test/support/servers/postgres.ts'

const WEBHOOKS = 10_000
const MANY_WEBHOOKS = 100_000
const ROUNDS = 7
const NOW = '2027-01-01T00:00:00.000Z' as never

async function seed(sql: Sql, webhooks: number): Promise<void> {
  await sql`truncate workspace, provider cascade`
  await sql`
    insert into workspace (name, created_at) select 'w' || i, clock_timestamp() from generate_series(1, ${webhooks / 20}) i`
  await sql`insert into provider (provider, name, created_at)
    select 'p' || i, 'P', clock_timestamp() from generate_series(1, 50) i`
  await sql`
    insert into webhook (workspace_id, name, url, created_at, updated_at)
    select workspace_id, 'h' || i, 'https://hooks.example.com/', '2000-01-01', '2000-01-01'
    from workspace, generate_series(1, 20) i`
}

/** Gives every webhook the subscription its number draws. */
async function subscribe(sql: Sql, kind: 'everything' | 'mixed'): Promise<void> {
  await sql`truncate webhook_version, alias_group cascade`
  await sql`
    insert into webhook_version (webhook_id, valid_from, event_types, every_provider, providers, by_groups)
    select webhook_id, '2000-01-01', ${['price.changed', 'resource.added', 'tos.changed']}::text[], true, '{}',
           ${kind === 'mixed'} and row_number() over (order by webhook_id) % 10 >= 7
    from webhook`
  if (kind === 'everything') return
  // Of ten webhooks seven follow three resources, three follow five of a thousand groups.
  await sql`
    insert into webhook_filter (webhook_id, valid_from, provider, resources)
    select v.webhook_id, v.valid_from, 'p1',
           array(select 'm' || (hashtext(v.webhook_id::text || i) & 1023) from generate_series(1, 3) i)
    from webhook_version v where not v.by_groups`
  await sql`insert into alias_group (name, updated_at) select 'g' || i, '2000-01-01' from generate_series(0, 999) i`
  await sql`
    insert into alias_member (group_id, provider, resource, joined_at)
    select group_id, 'p' || i, 'm' || substr(name, 2), '2000-01-01' from alias_group, generate_series(1, 5) i`
  await sql`
    insert into webhook_group (webhook_id, valid_from, position, group_id)
    select distinct on (v.webhook_id, g.group_id) v.webhook_id, v.valid_from, i, g.group_id
    from webhook_version v, generate_series(1, 5) i
    join alias_group g on true
    where v.by_groups and g.name = 'g' || (abs(hashtext(v.webhook_id::text || i)) % 1000)`
}

const change = (resource: string): EventDraft => ({
  type: 'price.changed',
  provider: 'p1',
  payload: { resource },
  resources: [resource, `maker/${resource}`],
  members: [resource],
})

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
const median = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]!

async function oneChange(sql: Sql) {
  const matching: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const [id, other] = await publishing(sql, (tx, stamp) => recordEvents(tx, stamp, [change('m1'), change('m2')]))
    await sql`update event set matched_at = now() where event_id = ${other!}`
    matching.push(await timed(() => matchEvents(sql, { now: NOW })))
    bare.push(
      await timed(
        () => sql`
          insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
          select webhook_id, workspace_id, ${other!}, ${NOW}, ${NOW} from webhook`,
      ),
    )
    const [made] = await sql`select count(*)::integer as n from delivery where event_id = ${id!}`
    if (made!.n !== WEBHOOKS) throw new Error(`${made!.n} deliveries`)
  }
  return { fanOutMs: median(matching), bareInsertMs: median(bare), ratio: median(matching) / median(bare) }
}

async function manyChanges(sql: Sql) {
  await publishing(sql, (tx, stamp) =>
    recordEvents(
      tx,
      stamp,
      Array.from({ length: 1_000 }, (_, i) => change(`m${i}`)),
    ),
  )
  return matchAll(sql)
}

/** Matches what there is, a transaction after the other. */
async function matchAll(sql: Sql) {
  const total = { ms: 0, statements: 0, events: 0, deliveries: 0, slowestMs: 0 }
  for (let pairs = PAIRS_PER_MATCH.first; ; ) {
    let done: Awaited<ReturnType<typeof matchEvents>>
    const ms = await timed(async () => {
      done = await matchEvents(sql, { now: NOW, pairs })
    })
    pairs = pairsAfter(pairs, ms)
    if (!done) return total
    total.ms += ms
    total.slowestMs = Math.max(total.slowestMs, ms)
    total.statements++
    total.events += done.events
    total.deliveries += done.deliveries
  }
}

const server = await startTestPostgres()
const sql = connect(`${server.url}/${TEMPLATE}`, { max: 2 })
try {
  await seed(sql, WEBHOOKS)
  await subscribe(sql, 'everything')
  await sql`analyze`
  console.log('one change, 10,000 webhooks that want it:', await oneChange(sql))
  await subscribe(sql, 'mixed')
  await sql`truncate delivery cascade`
  await sql`analyze`
  console.log('1,000 changes, 10,000 webhooks that want few:', await manyChanges(sql))
  await subscribe(sql, 'everything')
  await sql`truncate delivery cascade`
  await sql`analyze`
  await publishing(sql, (tx, stamp) =>
    recordEvents(
      tx,
      stamp,
      Array.from({ length: 40 }, (_, i) => change(`m${i}`)),
    ),
  )
  console.log('40 changes that all 10,000 webhooks want:', await matchAll(sql))
  await seed(sql, MANY_WEBHOOKS)
  await subscribe(sql, 'everything')
  await sql`analyze`
  await publishing(sql, (tx, stamp) => recordEvents(tx, stamp, [change('m1')]))
  console.log('one change, 100,000 webhooks that want it:', await matchAll(sql))
} finally {
  await sql.end()
  await server.stop()
}
