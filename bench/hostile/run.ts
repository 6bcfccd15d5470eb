/**
 * Hostile clients against a real API process: 10,000 connections that misbehave and 20,000 fuzzed requests, while normal
 * clients read. Loopback only. Its last results are in README.md beside it.
 * usage: npm run build && node --import tsx bench/hostile/run.ts [seconds, 120 by default] [share of the attack, 1 by default]
 *   --control   attack another server first: what the attack costs reads of a server that it does not reach
 *   --explain   say what the slowest hundredth of the reads is made of
 *   --profile DIR   write a processor profile of the API process
 *   --node OPTION   run the API process with this option of Node
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { startTestPostgres, TEMPLATE } from '../../test/support/servers/postgres.ts'
import { COMPILED, startApi } from './api-process.ts'
import { explain, type ObserverReport, watchProcesses } from './explain.ts'
import { measure } from './measure.ts'
import { prepare } from './prepare.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    control: { type: 'boolean' },
    explain: { type: 'boolean' },
    profile: { type: 'string' },
    node: { type: 'string', multiple: true },
  },
})
const seconds = Number(positionals[0] ?? 120)
const share = Number(positionals[1] ?? 1)
const plan = {
  connections: Math.round(10_000 * share),
  requests: Math.round(20_000 * share),
  seconds,
  idleSeconds: 60 * share,
}
const profiling = values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values.profile}`]
const observed: ObserverReport[] = []

const installations = [await install(values.explain), ...(values.control ? [await install()] : [])]
const [{ api, keys, sql }, other] = installations as [Installation, Installation | undefined]
try {
  console.log(`load ${loadavg()[0]!.toFixed(1)}`)
  const watch = values.explain ? async () => watchProcesses(await pidsOf(api.pid, sql)) : undefined
  const { reads, ...result } = await measure(api, keys, plan, {
    watch,
    other: other && { api: other.api, keys: other.keys.hostile },
  })
  console.log(JSON.stringify(result, null, 1))
  if (watch) {
    for (const part of ['idle', 'control', 'attacked'] as const) {
      const explained = reads[part] as Parameters<typeof explain>[0] | undefined
      if (explained) console.log(part, JSON.stringify(explain(explained, observed), null, 1))
    }
  }
  console.log(`load ${loadavg()[0]!.toFixed(1)}; the API said: ${api.output().slice(-2_000)}`)
} finally {
  for (const { end } of installations) await end()
}

type Installation = Awaited<ReturnType<typeof install>>

/** A database and an API process of its own. */
async function install(observing = false) {
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-hostile-'))
  const postgres = await startTestPostgres()
  const databaseUrl = `${postgres.url}/${TEMPLATE}`
  const sql = connect(databaseUrl, { max: 4, name: 'benchmark' })
  const keys = await prepare(sql)
  const api = await startApi(databaseUrl, folder, {
    program: COMPILED,
    nodeOptions: [...profiling, ...(values.node ?? [])],
    onObserved: observing ? (line) => observed.push(JSON.parse(line)) : undefined,
  })
  const end = async () => {
    await sql.end()
    if (api.running()) await api.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { api, keys, sql, end }
}

async function pidsOf(api: number, sql: Sql) {
  const backends = await sql<{ pid: number }[]>`select pid from pg_stat_activity where application_name = 'pricetape'`
  return { readers: [process.pid], api: [api], database: backends.map(({ pid }) => pid) }
}
