import { diffArrays } from 'diff'
import { changesBetween } from '../../src/terms/compare/changes-rules.ts'
import { classify } from '../../src/terms/compare/classify-rules.ts'
import { isOtherEdition, reviewReasons } from '../../src/terms/compare/review-reasons-rules.ts'
import { UnreadableDocument } from '../../src/terms/errors.ts'
import { readRecording, readRecordings } from '../../src/terms/replay/recorded-documents.ts'
import { type ReadText, readText } from '../../src/terms/normalize/normal-form-rules.ts'

/**
 * Lists every recorded text that makes no event although its words differ from the text before it. The words are taken
 * by a tokenizer of its own, which shares nothing with the normal form.
 */
const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name a folder with a manifest.json: node --import tsx bench/terms/run.ts FOLDER')

/** Words of a Markdown text without its addresses and marks, in lower case. */
const tokens = (markdown: string): string[] =>
  markdown
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/<?https?:\/\/\S+/g, ' ')
    .replace(/\\/g, '')
    .toLowerCase()
    .split(/[\s*_#|>()[\]"“”'‘’.,;:!?–—-]+/u)
    .filter((word) => word !== '')

const MAX_EDITS = 3_000
const SHOWN_WORDS = 40

/** What differs between two lists of words, as `-gone +new`; empty when nothing does. */
function difference(before: string[], after: string[]): string {
  const parts = diffArrays(before, after, { maxEditLength: MAX_EDITS })
  if (!parts) return `more than ${MAX_EDITS} words`
  const shown = parts
    .filter((part) => part.added || part.removed)
    .map((part) => `${part.added ? '+' : '-'}${part.value.slice(0, SHOWN_WORDS).join(' ')}`)
  return shown.join(' ')
}

/** The text as the product reads it; undefined where it quarantines it as unreadable. */
function readable(markdown: string): ReadText | undefined {
  try {
    return readText(markdown)
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error
    counts.unreadable++
    return undefined
  }
}

type Text = { file: string; words: string[]; read: ReadText }
const newest = new Map<string, Text>()
const counts = {
  texts: 0,
  firsts: 0,
  changes: 0,
  otherEditions: 0,
  unreadable: 0,
  suppressed: 0,
  suppressedWithOtherWords: 0,
}
const listed = new Map<string, string[]>()

for (const { source, file } of await readRecordings(folder)) {
  const { bytes } = await readRecording(folder, file)
  const markdown = Buffer.from(bytes).toString('utf8')
  const read = readable(markdown)
  if (!read) continue
  const text = { file, words: tokens(markdown), read }
  const before = newest.get(source.source)
  newest.set(source.source, text)
  counts.texts++
  if (!before) {
    counts.firsts++
    continue
  }
  if (classify(before.read, text.read, changesBetween(before.read, text.read)) !== 'cosmetic') {
    counts.changes++
    if (!isOtherEdition(reviewReasons(before.read, text.read))) continue
    counts.otherEditions++
    console.log(`another edition: ${source.source} ${before.file} → ${file}\n`)
    continue
  }
  counts.suppressed++
  const words = difference(before.words, text.words)
  if (words === '') continue
  counts.suppressedWithOtherWords++
  listed.set(words, [...(listed.get(words) ?? []), `${source.source} ${before.file} → ${file}`])
}

for (const [words, files] of listed) console.log(`${files.length} × ${files[0]}\n    ${words.slice(0, 600)}\n`)
console.log(JSON.stringify(counts))
