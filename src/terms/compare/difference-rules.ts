import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { shownText } from '../normalize/shown-text-rules.ts'
import { type Change, wordsChanged } from './changes-rules.ts'
import { withoutLineBreaks } from './line-breaks-rules.ts'
import { type RowChanges, rowChanges } from './lists/rows-rules.ts'
import { type Topic, topicsOf } from './topics-rules.ts'

/** Bounds of what a `tos.changed` event carries; the whole is behind its link. */
const DIFF_MAX_CHARACTERS = 20_000
const DIFF_CONTEXT_BLOCKS = 1
const DIFF_BLOCK_CHARACTERS = 2_000
/** Words kept around a change in a paragraph too long to show. */
const DIFF_CONTEXT_WORDS = 40
const SECTIONS_MAX = 50
const CHANGES_MAX = 200
const EXCERPTS_PER_SECTION = 10
const EXCERPT_CHARACTERS = 400
/** Words kept on each side of the words that changed inside a paragraph. */
const EXCERPT_CONTEXT_WORDS = 8

type SectionSummary = {
  section: string
  wordsRemoved: number
  wordsAdded: number
  removed: string[]
  added: string[]
}
type LocatedChange = {
  section: string
  clause?: string
  topics: Topic[]
  wordsRemoved: number
  wordsAdded: number
}
export type Difference = {
  wordsRemoved: number
  wordsAdded: number
  sections: SectionSummary[]
  /** Each change with its heading, the number of its clause and its topics, in the document's order. */
  changes: LocatedChange[]
  /** Rows of tables and entries of lists that came and went, by name. */
  rows: RowChanges[]
  diff: string
  /** Whether anything was left out of `sections` or `diff`. */
  truncated: boolean
}

/** Cuts a text at a length, never inside a pair of surrogates. */
const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…` : text

/** What changed between two texts, bounded in size: counts, what went and came per section, and a unified diff. */
export function describeChanges(before: ReadText, all: Change[]): Difference {
  const changes = withoutLineBreaks(all)
  const sections = summarize(changes)
  const diff = unified(before.blocks, changes)
  const { removed, added } = wordsChanged(changes)
  return {
    wordsRemoved: removed,
    wordsAdded: added,
    sections: sections.slice(0, SECTIONS_MAX).map(({ cut: _, ...section }) => section),
    changes: changes.slice(0, CHANGES_MAX).map(located),
    rows: rowChanges(changes),
    diff: diff.text,
    truncated:
      changes.length > CHANGES_MAX ||
      diff.truncated ||
      sections.length > SECTIONS_MAX ||
      sections.some((section) => section.cut),
  }
}

function located(change: Change): LocatedChange {
  const { section, clause } = (change.after[0] ?? change.before[0])!
  const { wordsRemoved, wordsAdded } = change
  return { section: cut(section, EXCERPT_CHARACTERS), clause, topics: topicsOf(change), wordsRemoved, wordsAdded }
}

type BoundedSection = SectionSummary & { cut: boolean }

function summarize(changes: Change[]): BoundedSection[] {
  const sections = new Map<string, BoundedSection>()
  for (const change of changes) {
    const title = cut((change.after[0] ?? change.before[0])?.section ?? '', EXCERPT_CHARACTERS)
    const section = sections.get(title) ?? {
      section: title,
      wordsRemoved: 0,
      wordsAdded: 0,
      removed: [],
      added: [],
      cut: false,
    }
    section.wordsRemoved += change.wordsRemoved
    section.wordsAdded += change.wordsAdded
    const excerpts = excerptsOf(change)
    section.removed = section.removed.concat(excerpts.removed)
    section.added = section.added.concat(excerpts.added)
    if (Math.max(section.removed.length, section.added.length) > EXCERPTS_PER_SECTION) section.cut = true
    section.removed = section.removed.slice(0, EXCERPTS_PER_SECTION)
    section.added = section.added.slice(0, EXCERPTS_PER_SECTION)
    sections.set(title, section)
  }
  return [...sections.values()]
}

/** Removed and added paragraphs; of one that was reworded, only the words around the change. */
function excerptsOf(change: Change): { removed: string[]; added: string[] } {
  if (change.before.length !== 1 || change.after.length !== 1) {
    return { removed: change.before.map(excerpt), added: change.after.map(excerpt) }
  }
  const [removed, added] = aroundChange(change, EXCERPT_CONTEXT_WORDS, EXCERPT_CHARACTERS)
  return { removed: [removed], added: [added] }
}

/**
 * Of one paragraph that was reworded, the words from the first to the last that changed and some on each side. Its number
 * is where its clause is said.
 */
function aroundChange(change: Change, context: number, characters: number): [removed: string, added: string] {
  const a = change.before[0]!.text.split(' ')
  const b = change.after[0]!.text.split(' ')
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const around = (words: string[]) => {
    const from = Math.max(0, start - context)
    const to = Math.min(words.length, words.length - end + context)
    const text = words.slice(from, to).join(' ')
    return cut(`${from > 0 ? '… ' : ''}${text}${to < words.length ? ' …' : ''}`, characters)
  }
  return [around(a), around(b)]
}

const excerpt = (block: Block) => cut(shownText(block), EXCERPT_CHARACTERS)

/** What a change shows: whole paragraphs; of one too long to show, that was reworded, the part around the change. */
function shown(change: Change): [removed: string[], added: string[]] {
  const [removed, added] = [change.before, change.after].map((blocks) => blocks.map(shownText))
  const long = [...removed!, ...added!].some((text) => text.length > DIFF_BLOCK_CHARACTERS)
  if (removed!.length !== 1 || added!.length !== 1 || !long) return [removed!, added!]
  const [before, after] = aroundChange(change, DIFF_CONTEXT_WORDS, DIFF_BLOCK_CHARACTERS)
  return [[before], [after]]
}

/** A unified diff whose lines are blocks: paragraphs, items and headings without link targets and layout. */
function unified(before: Block[], changes: Change[]): { text: string; truncated: boolean } {
  const lines: string[] = []
  let [length, shift, truncated] = [0, 0, false]
  const push = (mark: string, text: string) => {
    if (text.length > DIFF_BLOCK_CHARACTERS) truncated = true
    const line = `${mark}${cut(text, DIFF_BLOCK_CHARACTERS)}`
    length += line.length + 1
    lines.push(line)
  }
  for (const change of changes) {
    if (length > DIFF_MAX_CHARACTERS) break
    const lead = before.slice(Math.max(0, change.at - DIFF_CONTEXT_BLOCKS), change.at)
    const rest = change.at + change.before.length
    const tail = before.slice(rest, rest + DIFF_CONTEXT_BLOCKS)
    const start = change.at - lead.length + 1
    const context = lead.length + tail.length
    push('', `@@ -${start},${change.before.length + context} +${start + shift},${change.after.length + context} @@`)
    for (const block of lead) push(' ', shownText(block))
    const [removed, added] = shown(change)
    for (const text of removed) push('-', text)
    for (const text of added) push('+', text)
    for (const block of tail) push(' ', shownText(block))
    shift += change.after.length - change.before.length
  }
  const text = lines.join('\n')
  if (text.length <= DIFF_MAX_CHARACTERS) return { text, truncated }
  const whole = text.lastIndexOf('\n', DIFF_MAX_CHARACTERS)
  return { text: whole > 0 ? text.slice(0, whole) : cut(text, DIFF_MAX_CHARACTERS), truncated: true }
}
