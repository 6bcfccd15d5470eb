import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publishing, type Stamp } from '../../src/catalog/clock/clock-store.ts'
import { recordGoodFetch } from '../../src/catalog/snapshots/good-fetch-store.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { readManifest, readSnapshots } from '../../src/cli/replay/replay-folder.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import type { DeclaredSource } from '../../src/collectors/sources-file.ts'
import { epochMs, HOUR, type Instant, plus } from '../../src/lib/instant.ts'
import type { Sql, Tx } from '../../src/lib/sql.ts'
import { isNeeded } from '../../src/prices/authority/authority-store.ts'
import { settleFetched } from '../../src/prices/confirmation/settle-confirmations.ts'
import { confirmPrices } from '../../src/prices/ingest/confirm-prices.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'
import { recordWitnessPrices } from '../../src/prices/witness/record-witness-prices.ts'

type Collector = NonNullable<ReturnType<typeof collectorFor>>
type ParseResult = ReturnType<Collector['parse']>

/** A source with the answers that were recorded of it. */
export type RecordedSource = {
  declared: DeclaredSource
  collector: Collector
  answers: { at: Instant; bytes: Uint8Array }[]
  /** When it was recorded. At other times no one knows what it said, and it is read as one that does not answer. */
  covered: { from: number; until: number }[]
  read?: { answer: number; hash: string; parsed: ParseResult }
  /** A list that was quarantined is read again after this instant. */
  again?: number
}

/** A source has been read this long after its turn began. */
const READ_MS = 500
const QUARANTINE_RETRY_MS = 6 * HOUR

/** The answers recorded of a source; undefined where there are none. */
export async function recordedOf(declared: DeclaredSource, folder: string): Promise<RecordedSource | undefined> {
  const path = join(folder, declared.source)
  const listed = await readManifest(path).catch(() => undefined)
  if (!listed) return undefined
  const answers: RecordedSource['answers'] = []
  for await (const { at, bytes } of readSnapshots(path, listed)) answers.push({ at, bytes })
  const periods = JSON.parse(await readFile(join(path, 'covered.json'), 'utf8')) as [string, string][]
  const covered = periods.map(([from, until]) => ({ from: Date.parse(from), until: Date.parse(until) }))
  return { declared, collector: collectorFor(declared.format)!, answers, covered }
}

/** Reads a source once, at an instant: the newest answer that was recorded until then. */
export async function collect(sql: Sql, recorded: RecordedSource, at: Instant): Promise<void> {
  const answer = recorded.answers.findLastIndex((one) => one.at <= at)
  const { declared, read } = recorded
  if (answer < 0 || !recorded.covered.some(({ from, until }) => from <= epochMs(at) && epochMs(at) <= until)) return
  if (recorded.again !== undefined && epochMs(at) < recorded.again && read?.answer === answer) return
  const isDue = read?.answer !== answer || recorded.again !== undefined || (await saysSomethingElse(sql, recorded, at))
  if (isDue) await readAnswer(sql, recorded, answer, at)
  // An answer that could not be used proves nothing; any other says that the source still stands by its prices.
  if (recorded.again === undefined) await recordGood(sql, declared.source, at)
}

/** Records a good fetch, and what follows from it for who confirmed what. */
async function recordGood(sql: Sql, source: string, at: Instant): Promise<void> {
  await sql`update source set last_good_at = ${at} where source = ${source}`
  const record = async (tx: Tx, stamp: Stamp) => {
    await recordGoodFetch(tx, source, stamp.at)
    await settleFetched(tx, stamp, source)
  }
  await publishing(sql, record, plus(at, READ_MS))
}

/** Whether an unchanged answer has to be read again: as the collecting of prices asks. */
async function saysSomethingElse(sql: Sql, { declared, read }: RecordedSource, at: Instant): Promise<boolean> {
  if (read?.parsed.nextChangeAt && read.parsed.nextChangeAt <= at) return true
  if (declared.witness) return false
  if ((await isReadAgain(sql, { declared })) || (await isNeeded(sql, declared.source, at))) return true
  return (await confirmPrices(sql, declared.source, at)).due
}

/** Whether a decision or a contradiction asks for a source to be read again. */
export async function isReadAgain(sql: Sql, { declared }: Pick<RecordedSource, 'declared'>): Promise<boolean> {
  const [state] = await sql<{ again: boolean }[]>`
    select read_again as again from source where source = ${declared.source}`
  return state?.again ?? false
}

async function readAnswer(sql: Sql, recorded: RecordedSource, answer: number, at: Instant): Promise<void> {
  const { declared, collector, answers, read } = recorded
  const { bytes } = answers[answer]!
  const isKnown = read?.answer === answer && !(read.parsed.nextChangeAt && read.parsed.nextChangeAt <= at)
  const parsed = isKnown ? read.parsed : collector.parse(bytes, { source: declared, at })
  const hash = read?.answer === answer ? read.hash : await storeSnapshot(sql, { bytes, at })
  recorded.read = { answer, hash, parsed }
  const input = { source: declared, snapshotHash: hash, parserVersion: collector.parserVersion, parsed, at }
  if (declared.witness) {
    await recordWitnessPrices(sql, input)
    return
  }
  const { quarantined } = await ingestPrices(sql, input)
  recorded.again = quarantined ? epochMs(at) + QUARANTINE_RETRY_MS : undefined
  if (quarantined) console.error(`${at} ${declared.source} is quarantined: ${quarantined.message}`)
}
