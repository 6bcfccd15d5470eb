/**
 * Shows why PgBouncer in transaction mode is not supported: statements that are sent one after the other on a connection
 * are never answered. usage: node --import tsx bench/topology/transaction-mode.ts
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from '../../ops/run.ts'
import { serverUser } from '../../src/embedded/postgres/server-user.ts'
import { freePort } from '../../src/lib/ports.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect } from '../../src/lib/sql.ts'
import { postgresServer } from './postgres-server.ts'
import { debianProgram } from './programs.ts'
import { connectionPooler } from './proxies.ts'

const ROUNDS = 40
const AT_ONCE = 12
const ANSWER_MS = 1_500

const folder = await mkdtemp(join(tmpdir(), 'pricetape-pooler-'))
await chmod(folder, 0o755)
const postgres = await postgresServer(folder)
const uid = (await serverUser(silent))?.uid
for (const mode of ['session', 'transaction'] as const) {
  const port = await freePort()
  const pgbouncer = await debianProgram('pgbouncer')
  const { service, url } = await connectionPooler(pgbouncer, { folder, mode, port, database: postgres.url, uid })
  await service.start()
  // Prepared statements belong to one connection of the server.
  const sql = connect(`${url}?prepare=false`, { max: 3 })
  const found = { answered: 0, neverAnswered: 0 }
  for (let round = 0; round < ROUNDS && found.neverAnswered < AT_ONCE; round++)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, n) => {
        const statement = n % 2 === 0 ? sql`select 1 as one` : sql`select ${n}::int as n`
        const answered = await Promise.race([statement.then(() => true), sleep(ANSWER_MS, false)])
        found[answered ? 'answered' : 'neverAnswered']++
      }),
    )
  say(`${mode} mode: ${found.answered} statements answered, ${found.neverAnswered} never answered`)
  await sql.end({ timeout: 1 }).catch(() => {})
  await service.stop()
}
await postgres.stop()
await rm(folder, { recursive: true, force: true })
process.exit(0)
