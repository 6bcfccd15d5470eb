/**
 * What a check of a large price list costs, beside reading it alone, in one run: the first load, a list with nothing
 * changed and one with a single change. What one change to 10,000 webhooks costs is bench/fan-out.
 * `node --import tsx bench/check/run.ts [lines] [csv|json]`
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { databaseNow } from '../../src/catalog/clock/clock-store.ts'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { sourceStates } from '../../src/catalog/sources/source-store.ts'
import { withScratchDatabase } from '../../src/cli/replay/scratch-database.ts'
import { derivePrices } from '../../src/collecting/derive-prices.ts'
import { readPrices } from '../../src/collectors/read-prices.ts'
import { createIsolation } from '../../src/lib/isolation/isolation.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { copyIntoStaging, dropStaging, type Produce, registerStaging } from '../../src/prices/staging/staging-store.ts'
import { type Form, writeList } from './lists.ts'
import { startMemoryWatch } from './memory.ts'
import { processorSeconds } from './processor-time.ts'

const [lines = 1_000_000, form = 'csv'] = [Number(process.argv[2] ?? 1_000_000), process.argv[3] as Form | undefined]
const FORMATS = { csv: 'skypilot', json: 'azure' } as const
const declared = sourceDeclaration.parse({ source: 'bench', format: FORMATS[form], options: { provider: 'cloud' } })
const source = { ...declared, kind: 'prices' as const }
const READINGS = 3

type Result = { what: string; ms: number; processor: number; worker: number; child: number }

async function measured(what: string, work: () => Promise<unknown>): Promise<Result> {
  const watch = startMemoryWatch()
  const [started, before] = [performance.now(), processorSeconds()]
  await work()
  const [ms, processor] = [performance.now() - started, processorSeconds() - before]
  return { what, ms, processor, ...(await watch.end()) }
}

async function bench(sql: Sql, folder: string): Promise<Result[]> {
  await using isolation = createIsolation()
  const tools = { sql, isolation, log: pino({ level: 'silent' }) } as never
  const file = (name: string) => join(folder, name)
  await writeList(file('small'), form, 2)
  await writeList(file('first'), form, lines)
  await writeList(file('same'), form, lines, { reversed: true })
  await writeList(file('changed'), form, lines, { changed: true })

  const read = async (name: string) => {
    const at = await databaseNow(sql)
    await readPrices(isolation, { source, bytes: await readFile(file(name)), at }, { write: () => undefined })
  }
  /** Checks a list. The process that reads it was started before, as it was for reading alone. */
  async function checked(what: string, name: string, expected: object): Promise<Result> {
    await read('small')
    return measured(what, () => check(name, expected))
  }
  async function check(name: string, expected: object) {
    const at = await databaseNow(sql)
    const bytes = await readFile(file(name))
    const hash = await storeSnapshot(sql, { bytes, at })
    const [state = { failures: 0 }] = await sourceStates(sql)
    const { outcome, problem, published } = await derivePrices(tools, source, state as never, at, { hash, bytes })
    const found = { outcome, problem, published }
    if (JSON.stringify(found) !== JSON.stringify({ problem, ...expected }))
      throw new Error(`${name}: ${JSON.stringify(found)}`)
  }
  /** The lines of the list, copied as they are into a table without an index, and into one with a primary key alone. */
  async function copies(name: string): Promise<Result[]> {
    const at = await databaseNow(sql)
    const parts: (string | Uint8Array)[] = []
    const keep = (part: string | Uint8Array) => void parts.push(typeof part === 'string' ? part : part.slice())
    await readPrices(isolation, { source, bytes: await readFile(file(name)), at }, { write: keep as never })
    const table = await registerStaging(sql, source.source)
    const write: Produce<void> = async (to) => {
      for (const part of parts) await to(part)
    }
    try {
      const plain = await measured('plain COPY of its lines', () => copyIntoStaging(sql, table, write))
      const keyed = await measured('logged, with one key', async () => {
        await sql`create table keyed (like ${sql(table)}, primary key (ord))`
        await sql`insert into keyed select * from ${sql(table)}`
      })
      return [plain, keyed]
    } finally {
      await dropStaging(sql, table)
    }
  }
  const reading: Result[] = []
  for (let i = 0; i < READINGS; i++) reading.push(await measured('reading it alone', () => read('first')))
  const [median] = reading.toSorted((a, b) => a.ms - b.ms).slice(Math.floor(READINGS / 2))
  return [
    median!,
    await checked('first load', 'first', { outcome: 'changed', published: lines }),
    await measured('vacuum after it', () => sql`vacuum analyze publication, price_line, price_row, price_status`),
    await checked('nothing changed', 'same', { outcome: 'unchanged', published: 0 }),
    await checked('one change', 'changed', { outcome: 'changed', published: 1 }),
    ...(await copies('first')),
  ]
}

const folder = await mkdtemp(join(tmpdir(), 'pricetape-bench-'))
try {
  await withScratchDatabase(async (sql) => {
    const results = await bench(sql, folder)
    const reading = results[0]!.ms
    console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`)
    console.log(`${lines} lines as ${form}`)
    for (const { what, ms, processor, worker, child } of results) {
      const rate = `${Math.round((lines / ms) * 1_000)} lines/s, ${(ms / reading).toFixed(2)} × reading`
      const ofProcessor = `${processor.toFixed(1)} s of processors, ${(processor / results[0]!.processor).toFixed(2)} ×`
      console.log(
        `${what.padEnd(24)} ${(ms / 1_000).toFixed(1).padStart(6)} s  ${rate}; ${ofProcessor}; worker ${worker} MB, reader ${child} MB`,
      )
    }
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}
