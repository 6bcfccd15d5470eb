import type { DocumentTools } from '../read/read-document.ts'
import { extractPages } from './extract-pages.ts'
import { inProcess } from './in-process.ts'
import { Outcomes } from './outcomes.ts'
import { type PageFilter, recordedPages } from './recorded-pages.ts'
import { type ReplayOptions, replayTexts, type TermsReplay } from './replay-texts.ts'

/** What a replay of pages prints, beside what a replay of texts does. */
type PagesReplay = TermsReplay & {
  pages: number
  distinctPages: number
  extractedPages: number
  extractionSeconds: number
}

type Options = ReplayOptions & {
  filter?: PageFilter
  /** Names of rules that are left out. */
  without?: string[]
  /** Where extracted texts are kept for the next replay with the same extractor. */
  cache?: string
  onProgress?: (pages: number, extracted: number) => void
}

/**
 * Runs recorded raw pages (HTML, PDF) through the extraction and the decisions of live fetches, each at its own instant.
 * A folder's or a history's pages in a row that read the same are fetches of one text.
 */
export async function replayPages(
  tools: DocumentTools,
  path: string,
  options: Options = {},
): Promise<PagesReplay & { outcomes: Outcomes }> {
  using recorded = await recordedPages(path, options.filter)
  const started = performance.now()
  const { read, pages, distinct, extracted } = await extractPages(recorded.pages, { ...tools, ...options })
  const extractionSeconds = Math.round(performance.now() - started) / 1000
  const texts = read.map(({ text, ...page }) => ({
    ...page,
    load: async () => ({ bytes: Buffer.from('problem' in text ? '' : text.markdown), extracted: text }),
  }))
  const bySeq = new Map(read.map(({ seq, text }) => [seq, 'problem' in text ? '' : text.markdown]))
  const outcomes = new Outcomes()
  const inHere = { sql: tools.sql, isolation: inProcess(tools.isolation, options.without ?? []) }
  const result = await replayTexts(inHere, texts, {
    onReport: (entry) => {
      options.onReport?.(entry)
      outcomes.add({ ...entry, markdown: bySeq.get(entry.seq)! })
    },
  })
  outcomes.end(recorded.pages.at(-1)!.at)
  return { ...result, outcomes, pages, distinctPages: distinct, extractedPages: extracted, extractionSeconds }
}
