/**
 * Runs recorded lists together through the pipeline of prices, hour by hour, as a default installation reads them, with
 * no one deciding. Writes what is served at the end of each day. README.md says more.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { declareSources } from '../../src/catalog/sources/source-store.ts'
import { withScratchDatabase } from '../../src/cli/replay/scratch-database.ts'
import { type DeclaredSource, readSources } from '../../src/collectors/sources-file.ts'
import { readEvents } from '../../src/events/read-events.ts'
import { DAY, epochMs, HOUR, type Instant, MINUTE, parseInstant, plus, SECOND } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { measureServed } from '../../src/prices/accuracy/measure-served.ts'
import { settleEvidence } from '../../src/prices/confirmation/settle-confirmations.ts'
import { findContradictions } from '../../src/prices/contradicted/find-contradictions.ts'
import { collect, isReadAgain, type RecordedSource, recordedOf } from './collect.ts'
import { reviewItems, servedLines } from './read-served.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: 'string' },
    to: { type: 'string' },
    out: { type: 'string' },
    provider: { type: 'string', multiple: true, default: [] },
    witness: { type: 'string', multiple: true, default: [] },
    hours: { type: 'string', default: '1' },
  },
})
const [folder] = positionals
if (!folder || !values.from || !values.to || !values.out) {
  console.error(
    'node --import tsx bench/default/run.ts FOLDER --from DAY --to DAY --out FOLDER [--hours N] [--provider SOURCE=PROVIDER] [--witness SOURCE]',
  )
  process.exit(2)
}

/** How often sources are read, at most. */
const STEP = Number(values.hours) * HOUR

/** The sources as declared, or as the options say instead. */
function declaration(declared: DeclaredSource): DeclaredSource {
  const own = values.provider.map((one) => one.split('=')).find(([source]) => source === declared.source)
  if (own) return { ...declared, witness: false, rank: 'provider', speaksFor: own.slice(1) }
  return values.witness.includes(declared.source) ? { ...declared, witness: true } : declared
}

async function everyHour(
  sql: Sql,
  recorded: RecordedSource[],
  start: Instant,
  end: Instant,
  out: string,
): Promise<void> {
  const lines = createGzip()
  lines.pipe(createWriteStream(join(out, 'served.ndjson.gz')))
  const measures = createWriteStream(join(out, 'accuracy.ndjson'))
  for (let hour = start; hour < end; hour = plus(hour, STEP)) {
    for (const [place, source] of recorded.entries()) {
      const isDue = (epochMs(hour) - epochMs(start)) % Math.max(source.declared.intervalSeconds * SECOND, STEP) === 0
      if (isDue) await collect(sql, source, plus(hour, place * SECOND))
    }
    await findContradictions(sql, plus(hour, 30 * MINUTE))
    await settleEvidence(sql, plus(hour, 31 * MINUTE), plus(hour, 31 * MINUTE))
    // An installation reads hourly what it was told to read again.
    if (STEP > HOUR)
      for (const [place, source] of recorded.entries())
        if (await isReadAgain(sql, source)) await collect(sql, source, plus(hour, HOUR + place * SECOND))
    const isDayOver = (epochMs(hour) - epochMs(start)) % DAY === DAY - STEP
    if (!isDayOver) continue
    const day = hour.slice(0, 10)
    const served = await servedLines(sql)
    lines.write(`${JSON.stringify({ day, served, open: await reviewItems(sql, { open: true }) })}\n`)
    await writeFile(join(out, 'reviews.json'), JSON.stringify(await reviewItems(sql, { open: false })))
    const measured = await measureServed(sql, plus(hour, STEP - 20 * MINUTE))
    measures.write(`${JSON.stringify(measured)}\n`)
    console.error(`${day}: ${served.length} lines served, ${measured.contradicted} contradicted`)
  }
  await new Promise<void>((done) => lines.end(done))
  await new Promise<void>((done) => measures.end(done))
}

const { from, to, out } = { from: values.from, to: values.to, out: values.out }
const start = parseInstant(`${from}T00:00:00Z`)!
const end = plus(parseInstant(`${to}T00:00:00Z`)!, DAY)
const declared = readSources()
  .enabled.filter(({ kind }) => kind === 'prices')
  .map(declaration)
const recorded = (await Promise.all(declared.map((source) => recordedOf(source, folder)))).filter(
  (source) => source !== undefined,
)
const absent = declared.filter(({ source }) => !recorded.some((one) => one.declared.source === source))
console.error(`Not recorded, and left out: ${absent.map(({ source }) => source).join(', ') || 'none'}.`)
await mkdir(out, { recursive: true })
const started = performance.now()
await withScratchDatabase(async (sql) => {
  await declareSources(
    sql,
    recorded.map((source) => source.declared),
  )
  await everyHour(sql, recorded, start, end, out)
  await writeFile(join(out, 'reviews.json'), JSON.stringify(await reviewItems(sql, { open: false })))
  const events = createWriteStream(join(out, 'events.ndjson'))
  for await (const body of readEvents(sql)) events.write(`${body}\n`)
  await new Promise<void>((done) => events.end(done))
})
const seconds = Math.round((performance.now() - started) / 1000)
const sources = recorded.map(({ declared: { source, rank, witness, speaksFor } }) => ({
  source,
  rank,
  witness,
  speaksFor,
}))
await writeFile(
  join(out, 'run.json'),
  JSON.stringify({ from, to, seconds, sources, absent: absent.map((one) => one.source) }),
)
console.error(`${seconds} s`)
