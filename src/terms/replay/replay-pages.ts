import type { DocumentTools } from '../read/read-document.ts'
import { extractPages } from './extract-pages.ts'
import { inProcess } from './in-process.ts'
import { Outcomes } from './outcomes.ts'
import { type PageFilter, recordedPages } from './recorded-pages.ts'
import { type ReplayOptions, replayTexts, type TermsReplay, type TimedText } from './replay-texts.ts'

/** What was read of recorded pages. A folder's or a history's pages in a row that read the same are fetches of one text. */
export type ReadHistory = {
  texts: TimedText[]
  pages: number
  distinctPages: number
  extractedPages: number
  extractionSeconds: number
}

type ReadOptions = {
  filter?: PageFilter
  /** Where extracted texts are kept for the next replay with the same extractor. */
  cache?: string
  onProgress?: (pages: number, extracted: number) => void
}

/** Extracts the texts of recorded raw pages (HTML, PDF), as live fetches are read. */
export async function readHistory(
  tools: Pick<DocumentTools, 'isolation'>,
  path: string,
  options: ReadOptions = {},
): Promise<ReadHistory> {
  using recorded = await recordedPages(path, options.filter)
  const started = performance.now()
  const { read, pages, distinct, extracted } = await extractPages(recorded.pages, { ...tools, ...options })
  const texts = read.map(({ text, ...page }) => ({
    ...page,
    load: async () => ({ bytes: Buffer.from('problem' in text ? '' : text.markdown), extracted: text }),
  }))
  const extractionSeconds = Math.round(performance.now() - started) / 1000
  return { texts, pages, distinctPages: distinct, extractedPages: extracted, extractionSeconds }
}

/** Runs the texts of a history through the decisions of live fetches, each at its own instant, without these rules. */
export async function replayHistory(
  tools: DocumentTools,
  { texts }: ReadHistory,
  { without = [], ...options }: ReplayOptions & { without?: string[] } = {},
): Promise<TermsReplay & { outcomes: Outcomes }> {
  const outcomes = new Outcomes()
  const bySeq = new Map<number, string>()
  for (const { seq, load } of texts) bySeq.set(seq, (await load()).bytes.toString())
  const inHere = { sql: tools.sql, isolation: inProcess(tools.isolation, without) }
  const result = await replayTexts(inHere, texts, {
    onReport: (entry) => {
      options.onReport?.(entry)
      outcomes.add({ ...entry, markdown: bySeq.get(entry.seq)! })
    },
  })
  outcomes.end(texts.at(-1)!.at)
  return { ...result, outcomes }
}

/** Reads recorded pages and replays them. */
export async function replayPages(
  tools: DocumentTools,
  path: string,
  options: ReadOptions & Parameters<typeof replayHistory>[2] = {},
) {
  const { texts, ...read } = await readHistory(tools, path, options)
  return { ...(await replayHistory(tools, { texts, ...read }, options)), ...read }
}
