import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { Command } from 'commander'
import { sourceDeclaration } from '../catalog/schema.ts'
import { collectorFor, PRICE_FORMATS } from '../collectors/index.ts'
import { readEvents } from '../events/read-events.ts'
import { OperatorError } from '../lib/errors.ts'
import { createIsolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { replayPrices } from '../prices/ingest/replay-prices.ts'
import type { Miss } from '../prices/replay/miss-rules.ts'
import { readPublishedPrices } from '../prices/replay/read-published-prices.ts'
import { replayTerms } from '../terms/replay/replay-terms.ts'
import { errorMessage } from './error-message.ts'
import { wholeNumber } from './output.ts'
import { readManifest, readSnapshots } from './replay/replay-folder.ts'
import { measureRulesOnPages, PAGES, type PagesOptions, replayRecordedPages } from './replay/replay-pages.ts'
import { withScratchDatabase } from './replay/scratch-database.ts'
import { writeLines } from './replay/write-lines.ts'

const TERMS = 'terms'
const TERMS_NAMES = [TERMS, 'open-terms', 'open-terms-archive', 'ota', 'documents', 'tos']

type Options = PagesOptions & {
  format: string
  options?: object
  interval?: number
  json?: true
  events?: string
  misses?: string
  prices?: string
}

async function replay(sql: Sql, folder: string, options: Options) {
  if (options.format === PAGES) return replayRecordedPages(sql, folder, options)
  if (TERMS_NAMES.includes(options.format.toLowerCase())) return replayDocuments(sql, folder, options)
  const collector = collectorFor(options.format)
  if (!collector)
    throw new OperatorError(
      `There is no format ${options.format}. Write one of: ${[...PRICE_FORMATS, TERMS, PAGES].join(', ')}.`,
    )
  const source = sourceDeclaration.parse({
    source: collector.format,
    format: collector.format,
    options: options.options,
    intervalSeconds: options.interval,
  })
  const listed = await readManifest(folder)
  const parser = {
    parserVersion: collector.parserVersion,
    parse: (bytes: Uint8Array, at: (typeof listed)[number]['at']) => collector.parse(bytes, { source, at }),
  }
  const misses: Miss[] = []
  const result = await replayPrices(sql, source, parser, readSnapshots(folder, listed), {
    onMiss: (miss) => misses.push(miss),
    onReport: ({ file, at, report, refetch }) => {
      if (options.verbose) process.stderr.write(`${at} ${file}${refetch ? ' again' : ''} ${JSON.stringify(report)}\n`)
    },
  })
  if (options.misses) await writeLines(options.misses, misses)
  return result
}

async function replayDocuments(sql: Sql, folder: string, { verbose }: Options) {
  await using isolation = createIsolation()
  return await replayTerms({ sql, isolation }, folder, {
    onReport: ({ file, at, report }) => {
      if (verbose) process.stderr.write(`${at} ${file} ${JSON.stringify(report)}\n`)
    },
  })
}

/** Writes every recorded event as one line of JSON, in commit order. */
async function writeEvents(sql: Sql, file: string): Promise<void> {
  const out = createWriteStream(file)
  for await (const body of readEvents(sql)) out.write(`${body}\n`)
  out.end()
  await once(out, 'finish')
}

function print(result: object): void {
  for (const [name, value] of Object.entries(result)) {
    if (typeof value !== 'object' || value === null) console.log(`${name}: ${value}`)
    else {
      console.log(`${name}:${Object.keys(value).length === 0 ? ' none' : ''}`)
      const sorted = Object.entries(value).sort(([, a], [, b]) => Number(b) - Number(a))
      for (const [reason, count] of sorted)
        console.log(`  ${(typeof count === 'object' ? JSON.stringify(count) : String(count)).padStart(7)}  ${reason}`)
    }
  }
}

function readOptions(text: string): object {
  const options: unknown = readJson(text)
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return options
  throw new OperatorError(
    `--options ${text} is not a JSON object. Write it as in sources.json: '{"provider":"lambda"}'.`,
  )
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const program = new Command('replay')
  .description(
    'Runs a folder of recorded snapshots through the pipeline in a scratch database and counts what happens.',
  )
  .argument('<folder>', 'a folder with a manifest.json of {file, committedAt or recordedAt}; files may be gzip')
  .requiredOption('--format <format>', `what the snapshots are: ${[...PRICE_FORMATS, TERMS, PAGES].join(', ')}`)
  .option('--options <json>', 'the options of the source, as in sources.json', readOptions)
  .option('--interval <seconds>', 'how often the source is fetched; 3600 if not given', wholeNumber)
  .option('--json', 'print the counts as JSON')
  .option('--events <file>', 'write every event to a file, one JSON line each')
  .option('--misses <file>', 'write what was published late, never, in parts or wrongly, one JSON line each')
  .option('--prices <file>', 'write every price that was published, for npm run learn-limits')
  .option('--documents <pattern>', 'pages: only documents whose `Service/Document` matches')
  .option('--since <day>', 'pages: from this day on')
  .option('--until <day>', 'pages: until this day')
  .option('--declarations <file>', 'pages: selectors, as in sources/documents.json; none if not given')
  .option('--cache <folder>', 'pages: keep extracted texts for the next replay')
  .option('--labels <file>', 'pages: count real changes and noise by the labels of a file, one JSON line each')
  .option('--without <rules...>', 'pages: leave out these rules of the normal form, by name')
  .option('--each-rule', 'pages: replay once without each rule, and count the events that it keeps silent')
  .option('--report <file>', 'pages: write events, holds, suppressed texts and blind days, one JSON line each')
  .option('--verbose', 'print on stderr what each snapshot did')
  .action(async (folder: string, options: Options) => {
    const result = options.eachRule
      ? await measureRulesOnPages(folder, options)
      : await withScratchDatabase(async (sql) => {
          const counts = await replay(sql, folder, options)
          if (options.events) await writeEvents(sql, options.events)
          if (options.prices) await writeLines(options.prices, await readPublishedPrices(sql))
          return counts
        })
    if (options.json) console.log(JSON.stringify(result))
    else print(result)
  })

try {
  await program.parseAsync()
} catch (error) {
  console.error(errorMessage(error))
  process.exitCode = 1
}
