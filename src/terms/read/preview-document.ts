import type { SourceDeclaration } from '../../catalog/schema.ts'
import { type Classification, documentOptions, SELECTORS_FAIL } from '../schema.ts'
import { documentState, versionById } from '../store/document-store.ts'
import { checkDeclaration, type DocumentTools, readDocument } from './read-document.ts'

/** What is read of a page, and what it would change. */
export type DocumentCheck = {
  /** Why it is not read, or no document. */
  problem?: string
  /** The selectors of its declaration; none when its main part is found by itself. */
  select?: string[]
  /** How its selectors do worse than the container of the page, which `proposed` finds. */
  worse?: string
  proposed?: string
  words?: number
  firstLines?: string[]
  lastLines?: string[]
  change?: { classification: Classification; wordsRemoved: number; wordsAdded: number; doubts: string[] }
}

const LINES = 3
const LINE_CHARACTERS = 120

/** Reads a fetched document as its declaration says, beside the text in force. Nothing is recorded. */
export async function previewDocument(
  { sql, isolation }: DocumentTools,
  source: SourceDeclaration,
  { bytes, contentType }: { bytes: Uint8Array; contentType?: string },
): Promise<DocumentCheck> {
  const selectors = documentOptions.parse(source.options)
  const { select } = selectors
  const { current } = await documentState(sql, source.source)
  const version = current && (await versionById(sql, current.versionId))
  const content = { bytes, contentType, url: source.url, selectors }
  const reading = await readDocument(isolation, { content, current: version })
  if ('problem' in reading) return { problem: reading.problem, select }
  const advice = await checkDeclaration(isolation, content)
  const { markdown, rejection, comparison } = reading
  const lines = markdown.split('\n').filter((line) => line !== '')
  const shown = (some: string[]) => some.map((line) => line.slice(0, LINE_CHARACTERS))
  return {
    problem: rejection?.startsWith(SELECTORS_FAIL) ? rejection : rejection && `It looks like: ${rejection}.`,
    select,
    ...('problem' in advice ? {} : advice),
    words: markdown.match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    firstLines: shown(lines.slice(0, LINES)),
    lastLines: shown(lines.slice(LINES).slice(-LINES)),
    change: comparison && {
      classification: comparison.classification,
      wordsRemoved: comparison.difference.wordsRemoved,
      wordsAdded: comparison.difference.wordsAdded,
      doubts: comparison.doubts,
    },
  }
}
