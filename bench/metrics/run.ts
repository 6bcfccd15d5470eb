/**
 * Measures what metrics and the access log cost a read: `npx tsx bench/metrics/run.ts`. Servers with and without them take
 * turns in one run. Its last results are in README.md beside it.
 */
import { createWriteStream } from 'node:fs'
import { pino } from 'pino'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect } from '../../src/lib/sql.ts'
import { registerInstallationGauges } from '../../src/monitoring/metrics/installation-gauges.ts'
import { createMetrics } from '../../src/monitoring/metrics/metrics.ts'
import { buildServer } from '../../src/server.ts'
import { freshKeys } from '../history/measure.ts'
import { startPostgres } from '../history/postgres.ts'

const ROUNDS = 60
const REQUESTS_A_ROUND = 40
const SCRAPES = 20

const postgres = await startPostgres()
try {
  const sql = connect(postgres.url)
  await migrate(sql)
  const keys = await freshKeys(sql, 100)
  const discarded = createWriteStream('/dev/null')
  const config = readConfig({})
  const metrics = createMetrics('bench')
  registerInstallationGauges(metrics.registry, sql)
  const servers = {
    bare: await buildServer({ sql, config, log: pino({ level: 'silent' }) }),
    metrics: await buildServer({ sql, config, log: pino({ level: 'silent' }), metrics }),
    'metrics and log': await buildServer({ sql, config, log: createLog('info', 'json', discarded), metrics }),
  }
  // The smallest answers there are: on a larger one the same cost is a smaller share.
  const paths = { 'an empty directory': '/v1/providers', 'an empty page of history': '/v1/prices/history' }
  let used = 0
  for (const [what, path] of Object.entries(paths)) {
    const spent: Record<string, number[]> = {}
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, server] of Object.entries(servers)) {
        await sql`delete from rate_bucket`
        const before = process.cpuUsage()
        for (let n = 0; n < REQUESTS_A_ROUND; n++) {
          const authorization = `Bearer ${keys[used++ % keys.length]}`
          const { statusCode } = await server.inject({ url: path, headers: { authorization } })
          if (statusCode !== 200) throw new Error(`${path}: ${statusCode}`)
        }
        const { user, system } = process.cpuUsage(before)
        // The first round warms up.
        if (round > 0) spent[name] = [...(spent[name] ?? []), (user + system) / REQUESTS_A_ROUND]
      }
    }
    const bare = quartile(spent.bare!)
    for (const [name, times] of Object.entries(spent))
      console.log(
        `${what}, ${name}: ${quartile(times).toFixed(0)} µs of processor time, ratio ${(quartile(times) / bare).toFixed(3)}`,
      )
  }
  const scrapes: number[] = []
  for (let n = 0; n < SCRAPES; n++) {
    const fresh = createMetrics('bench')
    registerInstallationGauges(fresh.registry, sql)
    const began = performance.now()
    await fresh.registry.metrics()
    scrapes.push(performance.now() - began)
  }
  console.log(`a scrape that reads the database: ${quartile(scrapes).toFixed(1)} ms`)
  for (const server of Object.values(servers)) await server.close()
  await sql.end()
} finally {
  await postgres.stop()
}

/** The lower quartile: what else the machine does only adds time. */
function quartile(times: number[]): number {
  return times.sort((a, b) => a - b)[Math.floor(times.length / 4)]!
}
