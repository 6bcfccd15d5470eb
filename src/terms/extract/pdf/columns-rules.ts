import { francAll } from 'franc-min'
import { type Line, linesOf, type Segment } from './lines-rules.ts'

/** A page is looked at in strips of this share of its width. */
const STRIPS = 400
/** The gutter between two columns is this near the middle, and not crossed by more than this share of the lines. */
const MIDDLE = [0.25, 0.75] as const
const MAX_CROSSING = 0.4
/** Each column of a page has this many lines, and its typical line has this many words and fills this much of its width. */
const MIN_LINES = 4
const MIN_WORDS = 3
const MIN_FILLED = 0.45
/** Characters that are enough to tell the language of a column. */
const LANGUAGE_CHARACTERS = 100
const READ_CHARACTERS = 5_000
/** The likelihood, beside the most likely language, below which a language is ruled out. */
const OTHER_LANGUAGE = 0.9
/** Clauses that both columns number alike make them parallel. */
const SHARED_CLAUSES = 2

type Block = { kind: 'whole'; segments: Segment[] } | { kind: 'columns'; left: Segment[]; right: Segment[] }

/**
 * Returns the lines of a document in reading order. Columns are not mixed: of a page with two columns the left one comes
 * first. Columns that say the same (two languages, parallel clauses) are read one after another over all their pages.
 */
export function readingOrder(pages: Segment[][]): Line[] {
  const blocks = pages.flatMap(blocksOf)
  const lines: Line[] = []
  let [part, flow] = [0, 0]
  const add = (segments: Segment[]) => {
    for (const page of byPage(segments)) for (const line of linesOf(page, ++part, flow)) lines.push(line)
  }
  for (const group of groupsOf(blocks)) {
    if (group[0]!.kind === 'whole') {
      for (const block of group) if (block.kind === 'whole') add(block.segments)
      continue
    }
    const columns = group.filter((block) => block.kind === 'columns')
    const [left, right] = [columns.flatMap((block) => block.left), columns.flatMap((block) => block.right)]
    if (areParallel(left, right)) {
      flow++
      add(left)
      flow++
      add(right)
      flow++
    } else
      for (const block of columns) {
        add(block.left)
        add(block.right)
      }
  }
  return lines
}

/** Blocks of one kind that follow each other, over the ends of pages. */
function groupsOf(blocks: Block[]): Block[][] {
  const groups: Block[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (last?.[0]?.kind === block.kind) last.push(block)
    else groups.push([block])
  }
  return groups
}

function byPage(segments: Segment[]): Segment[][] {
  const pages = new Map<number, Segment[]>()
  for (const segment of segments) pages.set(segment.page, [...(pages.get(segment.page) ?? []), segment])
  return [...pages.values()]
}

/** Splits a page into lines over its whole width and blocks of two columns. */
function blocksOf(segments: Segment[]): Block[] {
  const gutter = gutterOf(segments)
  if (gutter === undefined) return [{ kind: 'whole', segments }]
  const blocks: Block[] = []
  for (const segment of segments.toSorted((a, b) => b.y - a.y || a.x - b.x)) {
    const kind = segment.x < gutter && segment.right > gutter ? 'whole' : 'columns'
    if (blocks.at(-1)?.kind !== kind)
      blocks.push(kind === 'whole' ? { kind, segments: [] } : { kind, left: [], right: [] })
    const block = blocks.at(-1)!
    if (block.kind === 'whole') block.segments.push(segment)
    else if (segment.x < gutter) block.left.push(segment)
    else block.right.push(segment)
  }
  // What is on one side only is not a column: a short line under a long one, or a heading.
  return blocks.map((block) =>
    block.kind === 'columns' && (block.left.length === 0 || block.right.length === 0)
      ? { kind: 'whole', segments: [...block.left, ...block.right] }
      : block,
  )
}

/** Returns where the page is divided into two columns of text; undefined for a page of one column or with a table. */
function gutterOf(segments: Segment[]): number | undefined {
  const from = Math.min(...segments.map(({ x }) => x))
  const width = Math.max(...segments.map(({ right }) => right)) - from
  if (!(width > 0)) return undefined
  const strip = (x: number) => Math.min(STRIPS, Math.max(0, Math.round(((x - from) / width) * STRIPS)))
  const changes = new Array<number>(STRIPS + 2).fill(0)
  for (const { x, right } of segments) {
    changes[strip(x)]!++
    changes[strip(right) + 1]!--
  }
  let covered = 0
  const crossing = changes.map((change) => (covered += change))
  const [start, end] = MIDDLE.map((share) => share * STRIPS) as [number, number]
  const least = Math.min(...crossing.slice(start, end))
  const [first, last] = widestRun(crossing, start, end, least)
  const gutter = from + (((first + last) / 2) * width) / STRIPS
  const left = segments.filter(({ right }) => right <= gutter)
  const right = segments.filter(({ x }) => x >= gutter)
  const divides =
    least <= segments.length * MAX_CROSSING && isColumn(left, gutter - from) && isColumn(right, from + width - gutter)
  return divides ? gutter : undefined
}

/** The longest run of strips that as few lines cross as any. */
function widestRun(crossing: number[], start: number, end: number, least: number): [number, number] {
  let best: [number, number] = [start, start]
  let open: number | undefined
  for (let i = start; i <= end; i++) {
    if (i < end && crossing[i] === least) open ??= i
    else if (open !== undefined) {
      if (i - 1 - open > best[1] - best[0]) best = [open, i - 1]
      open = undefined
    }
  }
  return best
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Lines of text fill their column; the cells of a table are short. */
function isColumn(segments: Segment[], width: number): boolean {
  return (
    segments.length >= MIN_LINES &&
    median(segments.map(({ text }) => text.split(' ').length)) >= MIN_WORDS &&
    median(segments.map(({ x, right }) => right - x)) >= width * MIN_FILLED
  )
}

/** Whether two columns are two languages, or number their clauses alike. */
function areParallel(left: Segment[], right: Segment[]): boolean {
  const numbers = (segments: Segment[]) =>
    new Set(segments.flatMap(({ text }) => /^(\d{1,3}(?:\.\d{1,3})*)[.)]?\s/.exec(text)?.[1] ?? []))
  const [a, b] = [numbers(left), numbers(right)]
  const shared = [...a].filter((number) => b.has(number)).length
  if (shared >= SHARED_CLAUSES && shared * 2 >= Math.max(a.size, b.size)) return true
  return haveOtherLanguages(left, right)
}

/** Whether the language of each column is not nearly as likely in the other. */
function haveOtherLanguages(left: Segment[], right: Segment[]): boolean {
  const [a, b] = [likelyLanguages(left), likelyLanguages(right)]
  const [first, second] = [a[0]?.[0], b[0]?.[0]]
  if (first === undefined || second === undefined || first === second) return false
  const score = (languages: [string, number][], name: string) =>
    languages.find(([language]) => language === name)?.[1] ?? 0
  return score(a, second) < OTHER_LANGUAGE && score(b, first) < OTHER_LANGUAGE
}

function likelyLanguages(segments: Segment[]): [string, number][] {
  const text = segments.map((segment) => segment.text).join(' ')
  return text.length < LANGUAGE_CHARACTERS ? [] : francAll(text.slice(0, READ_CHARACTERS))
}
