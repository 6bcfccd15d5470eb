/**
 * Keeps the statements of a version that is released, so that later migrations are tested against them.
 *
 * 1. In a checkout of that version: PRICETAPE_RECORD_STATEMENTS=/tmp/statements.log npx vitest run
 * 2. Here: node --import tsx test/releases/record.ts 1.0.0 /path/to/the/checkout /tmp/statements.log
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../../src/lib/sql.ts'
import { startTestPostgres } from '../support/servers/postgres.ts'
import { brokenStatements } from './broken-statements.ts'
import { statementsIn } from './statements.ts'

/** So much of a statement's beginning has to be in the code of the version: the rest of the log are tests' own. */
const KNOWN_BY = 28

const [version, checkout, log] = process.argv.slice(2)
if (!version || !checkout || !log) throw new Error('usage: record.ts VERSION CHECKOUT LOG')

const code = (await codeOf(join(checkout, 'src'))).join(' ').replace(/\s+/g, ' ')
const found = [...statementsIn(await readFile(log, 'utf8'))].filter((text) => code.includes(beginningOf(text)))

const migrations = join(checkout, 'src/database/migrations')
const server = await startTestPostgres()
const admin = connect(`${server.url}/postgres`, { max: 1 })
await admin.unsafe('create database release')
await admin.end()
const sql = connect(`${server.url}/release`, { max: 2 })
for (const name of (await readdir(migrations)).sort()) await sql.file(join(migrations, name))
const statements = found.sort()
// Statements over tables that exist for one transaction alone.
const unclear = new Set((await brokenStatements(sql, statements)).map(({ statement }) => statement))
await sql.end()
await server.stop()
const kept = statements.filter((statement) => !unclear.has(statement))
await writeFile(join(import.meta.dirname, `${version}.json`), `${JSON.stringify(kept, undefined, 1)}\n`)
console.log(`${kept.length} statements kept, ${unclear.size} left out`)

function beginningOf(statement: string): string {
  const [fixed = ''] = statement.slice(0, KNOWN_BY).split('$')
  return fixed
}

async function codeOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
}
