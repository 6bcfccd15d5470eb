import { readFile } from 'node:fs/promises'
import { readEvents } from '../../events/read-events.ts'
import { OperatorError } from '../../lib/errors.ts'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { createIsolation } from '../../lib/isolation/isolation.ts'
import type { Sql } from '../../lib/sql.ts'
import { type Label, measure } from '../../terms/replay/labels-rules.ts'
import { measureRules } from '../../terms/replay/measure-rules.ts'
import type { Outcomes, ReplayedEvent } from '../../terms/replay/outcomes.ts'
import { readDeclared } from '../../terms/replay/recorded-pages.ts'
import { readHistory, replayPages } from '../../terms/replay/replay-pages.ts'
import { RULES } from '../../terms/rules.ts'
import { withScratchDatabase } from './scratch-database.ts'
import { writeLines } from './write-lines.ts'

export const PAGES = 'pages'

export type PagesOptions = {
  documents?: string
  since?: string
  until?: string
  declarations?: string
  cache?: string
  report?: string
  labels?: string
  without?: string[]
  eachRule?: true
  verbose?: true
}

/** A text has few changed paragraphs, or its event is long: this many characters of it are enough to label it. */
const EXCERPT_CHARACTERS = 1_500

/** Replays recorded raw pages, and writes what came of them to a file for people who label it. */
export async function replayRecordedPages(sql: Sql, path: string, options: PagesOptions) {
  const unknown = options.without?.find((name) => !RULES.some((rule) => rule.name === name))
  if (unknown !== undefined)
    throw new OperatorError(`There is no rule "${unknown}": ${RULES.map(({ name }) => name).join(', ')}.`)
  await using isolation = createIsolation()
  const { verbose } = options
  const { outcomes, ...counts } = await replayPages({ sql, isolation }, path, {
    ...(await readOptions(options)),
    without: options.without,
    onReport: ({ at, source, report, refetch }) => {
      if (verbose) process.stderr.write(`${at} ${source}${refetch ? ' again' : ''} ${JSON.stringify(report)}\n`)
    },
  })
  if (options.report) await writeReport(sql, options.report, outcomes)
  if (options.labels === undefined) return counts
  return { ...counts, labelled: measure(outcomes.events, await readLabels(options.labels)) }
}

/** Replays recorded raw pages once without each rule, and returns how many events each one keeps silent. */
export async function measureRulesOnPages(path: string, options: PagesOptions) {
  await using isolation = createIsolation()
  const history = await readHistory({ isolation }, path, await readOptions(options))
  const labels = options.labels === undefined ? [] : await readLabels(options.labels)
  const counts: Record<string, object> = {}
  const lines: object[] = []
  await measureRules({ isolation, withDatabase: withScratchDatabase }, history, async ({ rule, kept }, sql) => {
    const { real, noise, unlabelled } = measure(kept, labels)
    counts[rule] = { events: kept.length, real, noise, unlabelled }
    process.stderr.write(`${rule}: ${kept.length}\n`)
    if (options.report) lines.push(...(await linesOf(sql, kept)).map((line) => ({ ...line, kind: rule })))
  })
  if (options.report) await writeLines(options.report, lines)
  return { keptSilentBy: counts }
}

async function readOptions({ documents, since, until, declarations, cache }: PagesOptions) {
  return {
    filter: {
      documents: documents === undefined ? undefined : new RegExp(documents, 'i'),
      since: dayOf(since),
      until: dayOf(until),
      declared: declarations === undefined ? [] : await readDeclared(declarations),
    },
    cache,
    onProgress: (pages: number, extracted: number) => process.stderr.write(`${pages} pages, ${extracted} read\n`),
  }
}

/** Reads labels, one JSON line each. */
async function readLabels(file: string): Promise<Label[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => JSON.parse(line) as Label)
}

function dayOf(day: string | undefined): Instant | undefined {
  if (day === undefined) return undefined
  const instant = parseInstant(`${day}T00:00:00Z`)
  if (!instant) throw new OperatorError(`${day} is not a day: write it as 2026-01-31.`)
  return instant
}

type TosChangedEvent = {
  type: string
  current: { versionId: string }
  diff: string
  returnsTo?: string
  doubt?: string[]
}

/** Events, each with what is unusual about it, and with the beginning of its diff. */
async function linesOf(sql: Sql, events: ReplayedEvent[]) {
  const said = new Map<string, object>()
  for await (const body of readEvents(sql)) {
    const { type, current, diff, returnsTo, doubt } = JSON.parse(body) as TosChangedEvent
    if (type.startsWith('tos.changed'))
      said.set(current.versionId, { returnsTo, doubt, diff: diff.slice(0, EXCERPT_CHARACTERS) })
  }
  return events.map(({ versionId, ...event }) => ({ kind: 'event', ...event, ...said.get(versionId) }))
}

async function writeReport(sql: Sql, file: string, { events, held, suppressed, blind }: Outcomes): Promise<void> {
  const lines = [
    ...(await linesOf(sql, events)),
    ...held.map((one) => ({ kind: 'held', ...one })),
    ...suppressed.map((one) => ({ kind: 'suppressed', ...one })),
    ...blind.map((one) => ({ kind: 'blind', ...one })),
  ]
  await writeLines(file, lines)
}
