import type { DocumentTools } from '../read/read-document.ts'
import { readRecording, readRecordings } from './recorded-documents.ts'
import { type ReplayOptions, replayTexts, type TermsReplay } from './replay-texts.ts'

/** Replays a folder of texts that were extracted before (`manifest.json`, files gzip or not), as {@link replayTexts} says. */
export async function replayTerms(
  tools: DocumentTools,
  folder: string,
  options: ReplayOptions = {},
): Promise<TermsReplay> {
  const recorded = await readRecordings(folder)
  const texts = recorded.map((text) => ({ ...text, load: () => readRecording(folder, text.file) }))
  return replayTexts(tools, texts, options)
}
