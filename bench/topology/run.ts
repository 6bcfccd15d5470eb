/**
 * The topology of an operator's production, in processes: see README.md.
 * usage: node --import tsx bench/topology/run.ts [folder of the compiled product] [kills: without the rolling update]
 */
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { ROOT, run, say } from '../../ops/run.ts'
import { serverUser } from '../../src/embedded/postgres/server-user.ts'
import { freePort, LOOPBACK } from '../../src/lib/ports.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect } from '../../src/lib/sql.ts'
import { prepareHistory } from '../faults/reader.ts'
import { createInstallation } from './installation.ts'
import { judge } from './judge.ts'
import { makeNextVersion } from './next-version.ts'
import { killOne, rollingUpdate, type Trial, throughPooler } from './phases.ts'
import { postgresServer } from './postgres-server.ts'
import { programs } from './programs.ts'
import { connectionPooler, loadBalancer } from './proxies.ts'
import { temporalOnPostgres } from './temporal-server.ts'
import { createDeliveries, keepReading, readerKeys, startReceiver } from './traffic.ts'

const show = (title: string, found: unknown) => say(`${title}\n${JSON.stringify(found, undefined, 2)}`)

const needed = await programs()
const first = process.argv[2] ?? join(ROOT, '.cache/topology-first')
if (!(await stat(join(first, 'workflow-bundle.js')).catch(() => undefined)))
  await run('npm', ['run', 'build', '--', first])
const next = join(ROOT, '.cache/topology-next')
const version = await makeNextVersion(first, next)

const folder = await mkdtemp(join(tmpdir(), 'pricetape-topology-'))
await chmod(folder, 0o755) // PostgreSQL and PgBouncer run as a user of their own
const postgres = await postgresServer(folder)
const databaseUrl = postgres.url.href
const { service: temporal, address } = await temporalOnPostgres({ folder, ...needed, database: postgres.url })
await temporal.start()
const installation = await createInstallation(folder, address)
await installation.migrate(first, databaseUrl)
await installation.start(first, databaseUrl)
const port = await freePort()
const balancer = await loadBalancer(needed.haproxy, folder, port, installation.apiPorts)
await balancer.start()
say(`Everything runs. Load of the machine: ${loadavg()[0]?.toFixed(1)}`)

const sql = connect(databaseUrl, { max: 4, name: 'trial' })
const { url } = await prepareHistory(sql, `http://${LOOPBACK}:${port}`)
const receiver = await startReceiver()
const reading = keepReading(url, await readerKeys(sql))
const connection = await Connection.connect({ address })
const client = new Client({ connection })
const add = await createDeliveries(sql, receiver.url)
const trial: Trial = { sql, client, installation, receiver, reading, add }

const uid = (await serverUser(silent))?.uid
await sql.unsafe(`alter role ${postgres.url.username} set statement_timeout = '60s'`)
const poolerPort = await freePort()
const pooler = await connectionPooler(needed.pgbouncer, {
  folder,
  mode: 'session',
  port: poolerPort,
  database: postgres.url,
  uid,
})

const problems: string[] = []
const demand = (holds: boolean, problem: string) => void (holds || problems.push(problem))
const demandAll = (phase: string, found: Awaited<ReturnType<typeof judge>>) => {
  demand(found.succeeded === found.deliveries && found.lost === 0, `${phase}: deliveries were lost`)
  demand(found.doubledWithoutReason === 0 && found.invented === 0, `${phase}: deliveries were doubled`)
}

try {
  if (process.argv[3] !== 'kills') {
    const rolled = await rollingUpdate(trial, first, next, databaseUrl)
    show(`Rolling update to ${version}`, rolled)
    demandAll('rolling update', rolled)
    demand(rolled.doubled === 0 && rolled.unknown === 0, 'rolling update: attempts were broken off')
    demand(rolled.failedReads.length === 0, 'rolling update: reads failed')
    demand(rolled.scheduleVersion === version, 'rolling update: an older worker overwrote the schedule')
  }
  for (const victim of [...installation.processes.map(({ service }) => service), temporal, postgres, balancer]) {
    const found = await killOne(trial, { name: victim.name, kill: () => victim.kill() })
    show('Killed', found)
    demand(Math.max(found.longestPauseOfDeliveries, found.longestPauseOfReads) < 60, `${victim.name}: a stalled minute`)
  }
  const killed = await judge(sql, receiver)
  show('After all kills', killed)
  demandAll('kills', killed)
  await pooler.service.start()
  const pooled = await throughPooler(trial, next, pooler.url)
  show('Through PgBouncer in session mode', pooled)
  demandAll('PgBouncer', pooled)
  demand(
    pooled.failedReads.length === 0 && pooled.logged.length === 0,
    'PgBouncer: reads failed, or something was logged',
  )
  say(`Load of the machine: ${loadavg()[0]?.toFixed(1)}; reads answered: ${reading.reads.good.length}`)
} finally {
  await reading.stop()
  await Promise.all(installation.processes.map(({ service }) => service.stop()))
  await Promise.all([balancer.stop(), pooler.service.stop()])
  await connection.close()
  await sql.end({ timeout: 1 })
  receiver.close()
  await temporal.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
for (const problem of problems) say(`WRONG: ${problem}`)
process.exit(problems.length === 0 ? 0 : 1)
