import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CACHE, goProgram, run } from '../../ops/run.ts'
import { findProgram } from '../../src/embedded/process/run-program.ts'

const SERVER = 'go.temporal.io/server'
/** That of docker-compose.yml. */
const VERSION = 'v1.31.2'

/** The programs that the trial needs and the product does not bring. Temporal's are built with Go, once. */
export async function programs() {
  const [haproxy, pgbouncer] = [await debianProgram('haproxy'), await debianProgram('pgbouncer')]
  return { haproxy, pgbouncer, ...(await temporalPrograms()) }
}

/** Temporal's server and schema tool for PostgreSQL. */
export async function temporalPrograms() {
  const program = (name: string, path: string) =>
    goProgram(name, `${SERVER}/cmd/${path}@${VERSION}`, join(CACHE, 'bin', `temporal-${VERSION}`))
  const server = process.env.TEMPORAL_SERVER ?? (await program('server', 'server'))
  const schemaTool = process.env.TEMPORAL_SQL_TOOL ?? (await program('sql', 'tools/sql'))
  const modules = (await run('go', ['env', 'GOMODCACHE'])).trim()
  const schemas = join(modules, `${SERVER}@${VERSION}/schema/postgresql/v12`)
  await readFile(join(schemas, 'temporal/schema.sql')) // said here rather than by the schema tool
  return { server, schemaTool, schemas }
}

export async function debianProgram(name: string): Promise<string> {
  const path = (await findProgram(name)) ?? (await findProgram(name, '/usr/sbin'))
  if (path) return path
  throw new Error(`${name} is needed: apt-get install ${name}`)
}
