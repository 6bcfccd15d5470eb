import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from '../../src/lib/sql.ts'
import type { HistoryRequest } from '../../src/prices/history/history-rules.ts'
import { openHistory, readHistory } from '../../src/prices/history/read-history.ts'

/** PostgreSQL's own benchmark, found on PATH. */
const PGBENCH: string = 'pgbench'

/** Reads one page and returns the statement that read it, with its parameters written into it. */
export async function pageStatement(sql: Sql, request: HistoryRequest): Promise<string> {
  const statements: string[] = []
  const recording = new Proxy(sql, {
    apply: (target, self, args: [TemplateStringsArray, ...unknown[]]) => {
      const [texts, ...values] = args
      statements.push(texts.map((text, n) => text + (n < values.length ? literal(values[n]) : '')).join(''))
      return Reflect.apply(target, self, args)
    },
  })
  await readHistory(recording, new Uint8Array(32), await openHistory(sql, request))
  return statements.at(-1)!.replace(/\s+/g, ' ').trim()
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `array[${value.map(literal).join(',')}]`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
}

/** Returns how often PostgreSQL runs this statement in a second for this many clients at once, as pgbench counts it. */
export function pgbench(databaseUrl: string, statement: string, clients: number, seconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'pricetape-pgbench-'))
  const script = join(folder, 'page.sql')
  writeFileSync(script, `${statement};\n`)
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script]
  const printed = execFileSync(PGBENCH, [...options, databaseUrl], { stdio: ['ignore', 'pipe', 'pipe'] }).toString()
  rmSync(folder, { recursive: true })
  return Number(/tps = ([\d.]+)/.exec(printed)![1])
}
