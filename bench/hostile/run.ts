/**
 * Hostile clients against a real API process: 10,000 connections that misbehave and 20,000 fuzzed requests, while normal
 * clients read. Loopback only. Its last results are in README.md beside it.
 * usage: npm run build && node --import tsx bench/hostile/run.ts [seconds, 120 by default] [share of the attack, 1 by default]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/lib/sql.ts'
import { startTestPostgres, TEMPLATE } from '../../test/support/postgres.ts'
import { COMPILED, startApi } from './api-process.ts'
import { measure } from './measure.ts'
import { prepare } from './prepare.ts'

const seconds = Number(process.argv[2] ?? 120)
const share = Number(process.argv[3] ?? 1)
const folder = await mkdtemp(join(tmpdir(), 'pricetape-hostile-'))
const postgres = await startTestPostgres()
const sql = connect(`${postgres.url}/${TEMPLATE}`)
try {
  const keys = await prepare(sql)
  const api = await startApi(`${postgres.url}/${TEMPLATE}`, folder, COMPILED)
  console.log(`load ${loadavg()[0]!.toFixed(1)}`)
  const plan = { connections: 10_000 * share, requests: 20_000 * share, seconds, idleSeconds: 60 * share }
  console.log(JSON.stringify(await measure(api, keys, plan), null, 1))
  console.log(`load ${loadavg()[0]!.toFixed(1)}; the API said: ${api.output().slice(-2_000)}`)
} finally {
  await sql.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
