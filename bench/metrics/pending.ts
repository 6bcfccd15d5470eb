/**
 * Measures what a scrape and a look at the health cost while a million deliveries wait: `npx tsx bench/metrics/pending.ts`.
 * 1,000 workspaces with 20 webhooks each; PostgreSQL knows nothing of the burst yet, as autovacuum has not come. Its last
 * results are in README.md beside it.
 */
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { countWaiting } from '../../src/monitoring/count-waiting.ts'
import { registerInstallationGauges } from '../../src/monitoring/metrics/installation-gauges.ts'
import { createMetrics } from '../../src/monitoring/metrics/metrics.ts'
import { readHealth } from '../../src/monitoring/read-health.ts'
import { startPostgres } from '../history/postgres.ts'

const WORKSPACES = 1_000
const WEBHOOKS_EACH = 20
const TIMES = 9

const postgres = await startPostgres()
try {
  const sql = connect(postgres.url)
  await migrate(sql)
  await sql`alter table delivery set (autovacuum_enabled = false)`
  await sql`
    insert into workspace (name, created_at) select 'w' || n, clock_timestamp() from generate_series(1, ${WORKSPACES}) n`
  await sql`
    insert into webhook (workspace_id, name, url, created_at, updated_at)
    select workspace_id, 'h' || n, 'https://hooks.example.com/', now(), now()
    from workspace, generate_series(1, ${WEBHOOKS_EACH}) n`
  for (const events of [0, 5, 45]) {
    await burst(sql, events)
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from delivery`
    console.log(`\n${row!.count} deliveries are due`)
    await measure(sql)
  }
  await sql`vacuum analyze delivery`
  console.log('\nafter vacuum analyze')
  await measure(sql)
  await sql.end()
} finally {
  await postgres.stop()
}

/** Events that every webhook wants, due 20 minutes ago. */
async function burst(sql: Sql, events: number): Promise<void> {
  await sql`
    with made as (
      insert into event (seq, event_id, type, provider, eligible_at, body, matched_at)
      select (select coalesce(max(seq), 0) from event) + n, 'evt_' || uuidv7(), 'price.changed', 'acme',
             now() - interval '20 minutes', '{}', now()
      from generate_series(1, ${events}) n returning event_id)
    insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
    select webhook_id, workspace_id, event_id, now() - interval '20 minutes', now() from made, webhook`
}

async function measure(sql: Sql): Promise<void> {
  await timed('a worker’s count', async () => {
    await sql`update waiting_deliveries set counted_at = null`
    await countWaiting(sql)
  })
  await timed('a scrape', async () => {
    const { registry } = createMetrics('bench')
    registerInstallationGauges(registry, sql)
    const text = await registry.metrics()
    for (const name of ['database_up 1', 'delivery_oldest_due_seconds ', 'deliveries_waiting{state="due"} '])
      if (!text.includes(`\npricetape_${name}`)) console.log(`  absent or wrong: ${name}`)
  })
  await timed('the health', () => readHealth(sql))
}

async function timed(what: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let n = 0; n < TIMES; n++) {
    const began = performance.now()
    await work()
    times.push(performance.now() - began)
  }
  times.sort((a, b) => a - b)
  console.log(`${what}: ${times[(TIMES - 1) / 2]!.toFixed(1)} ms, the slowest ${times.at(-1)!.toFixed(1)} ms`)
}
