import type { SideBySideRow } from '../terms/compare/side-by-side-rules.ts'
import { type Html, html } from './html-rules.ts'

/** Unchanged paragraphs shown on each side of a change; the others are folded. */
const CONTEXT_ROWS = 1
/** Fewer rows than this between two changes of one section are shown. */
const MIN_FOLDED = 3
/** Characters of changed and of unchanged paragraphs that one page shows. */
const MAX_CHANGED_CHARACTERS = 1_000_000
const MAX_UNCHANGED_CHARACTERS = 500_000

type Shown = { kind: 'shown'; section: string; clause?: string; rows: SideBySideRow[] }
type Part = Shown | { kind: 'folded'; rows: SideBySideRow[] }

/**
 * Returns the rows of a difference as markup: changes beside each other, with what is between them folded. `anchors` has
 * the id of the first change in each section.
 */
export function rowsView(all: SideBySideRow[]): { view: Html[]; cut: boolean; anchors: Map<string, string> } {
  const { rows, cut } = bounded(all)
  const anchors = new Map<string, string>()
  const view = parts(rows).map((part, i) => {
    if (part.kind === 'folded') return folded(part.rows)
    const id = `part-${i + 1}`
    if (!anchors.has(part.section)) anchors.set(part.section, id)
    return shown(part, id)
  })
  return { view, cut, anchors }
}

/** Returns the paragraphs of one version as markup. */
export function textView(all: SideBySideRow[]): { view: Html[]; cut: boolean } {
  const { rows, cut } = bounded(all)
  return { view: rows.map(paragraph), cut }
}

function bounded(all: SideBySideRow[]): { rows: SideBySideRow[]; cut: boolean } {
  let [changed, unchanged] = [MAX_CHANGED_CHARACTERS, MAX_UNCHANGED_CHARACTERS]
  const rows: SideBySideRow[] = []
  for (const row of all) {
    const length = (row.left?.length ?? 0) + (row.kind === 'same' ? 0 : (row.right?.length ?? 0))
    if (row.kind === 'same') unchanged -= length
    else changed -= length
    if (changed < 0) return { rows, cut: true }
    if (row.kind !== 'same' || unchanged >= 0) rows.push(row)
  }
  return { rows, cut: unchanged < 0 }
}

/** The changed rows and the context of each, within its section. */
function rowsNearChanges(rows: SideBySideRow[]): Set<number> {
  const near = new Set<number>()
  let last = Number.NEGATIVE_INFINITY
  for (const [i, { kind, section }] of rows.entries()) {
    if (kind === 'same') continue
    const from = i - last <= 2 * CONTEXT_ROWS + MIN_FOLDED ? last : i - CONTEXT_ROWS
    for (let j = from; j <= i + CONTEXT_ROWS; j++) if (rows[j]?.section === section) near.add(j)
    last = i
  }
  return near
}

/** Puts rows that belong together into parts: a section's changes with their context, and what is folded between. */
function parts(rows: SideBySideRow[]): Part[] {
  const near = rowsNearChanges(rows)
  const found: Part[] = []
  let clause: string | undefined
  for (const [i, row] of rows.entries()) {
    const last = found.at(-1)
    if (row.heading) clause = row.clause
    // The heading is above its section already.
    if (row.kind === 'same' && row.heading && near.has(i)) continue
    if (!near.has(i)) {
      if (last?.kind === 'folded') last.rows.push(row)
      else found.push({ kind: 'folded', rows: [row] })
    } else if (last?.kind === 'shown' && last.section === row.section) last.rows.push(row)
    else found.push({ kind: 'shown', section: row.section, clause, rows: [row] })
  }
  return found
}

const withoutMark = (text: string, { heading }: Pick<SideBySideRow, 'heading'>) =>
  heading ? text.replace(/^#{1,6} /, '') : text
/** Entries of lists in lists are further in. */
const MAX_DEPTH = 4
const indented = ({ depth = 0 }: SideBySideRow) => (depth > 0 ? html` class="depth-${Math.min(depth, MAX_DEPTH)}"` : '')
const number = (clause: string | undefined) => clause && html`<span class="clause">${clause}</span> `

function folded(rows: SideBySideRow[]): Html {
  const count = rows.length === 1 ? '1 unchanged paragraph' : `${rows.length} unchanged paragraphs`
  return html`<details><summary>${count}</summary>${rows.map(paragraph)}</details>`
}

/** A paragraph that is the same in both versions. */
function paragraph(row: SideBySideRow): Html {
  const text = withoutMark(row.left ?? '', row)
  if (!row.heading) return html`<p dir="auto"${indented(row)}>${text}</p>`
  const { level = 2 } = row
  if (level > 3) return html`<h5 dir="auto">${text}</h5>`
  return level === 3 ? html`<h4 dir="auto">${text}</h4>` : html`<h3 dir="auto">${text}</h3>`
}

function shown({ section, clause, rows }: Shown, id: string): Html {
  const heading = section === '' ? 'Before the first heading' : section
  return html`<section class="part" id="${id}"><h3 dir="auto">${number(clause)}${heading}</h3>${rows.map(pair)}</section>`
}

function pair(row: SideBySideRow): Html {
  if (row.kind === 'same')
    return html`<div class="pair same">${side('Both', row, withoutMark(row.left ?? '', row))}${side('', row, withoutMark(row.right ?? '', row))}</div>`
  const [before, after] = row.kind === 'changed' ? ['Before', 'After'] : ['Removed', 'Added']
  return html`<div class="pair ${row.kind}">${side(before!, row, removedSide(row))}${side(after!, row, addedSide(row))}</div>`
}

/** One of both columns. An empty one keeps its width and says nothing. */
function side(label: string, row: SideBySideRow, text: Html | string | undefined): Html {
  const shownText = text && html`<p dir="auto"${indented(row)}>${text}</p>`
  if (!shownText || label === '') return html`<div class="side" aria-hidden="true">${shownText || ''}</div>`
  return html`<div class="side"><p class="label">${label}</p>${shownText}</div>`
}

function removedSide(row: SideBySideRow): Html | undefined {
  if (row.left === undefined) return undefined
  return row.words ? marked(row, 'removed') : html`<del>${withoutMark(row.left, row)}</del>`
}

function addedSide(row: SideBySideRow): Html | undefined {
  if (row.right === undefined) return undefined
  return row.words ? marked(row, 'added') : html`<ins>${withoutMark(row.right, row)}</ins>`
}

/** The words of one side, with those marked that the other side does not have. */
function marked(row: SideBySideRow, mark: 'added' | 'removed'): Html {
  const own = row.words!.filter(({ kind }) => kind === 'same' || kind === mark)
  const words = own.map(({ text, kind }, i) => {
    const word = i === 0 ? withoutMark(text, row) : text
    if (kind === 'same') return word
    // The space after a word is no part of the change.
    const said = word.trimEnd()
    const space = word.slice(said.length)
    return mark === 'added' ? html`<ins>${said}</ins>${space}` : html`<del>${said}</del>${space}`
  })
  return html`${words}`
}
