import { citedAs, withoutMark } from '../lib/text/document-text.ts'
import { plural } from '../lib/text/plural.ts'
import type { SideBySideRow } from '../terms/compare/side-by-side-rules.ts'
import { type Html, html } from './html-rules.ts'
import { indented, type PlaceAddress, paragraph } from './text-view-rules.ts'

/** Unchanged paragraphs shown on each side of a change; the others are folded. */
const CONTEXT_ROWS = 1
/** Fewer rows than this between two changes of one section are shown. */
const MIN_FOLDED = 3
/** Characters of changed and of unchanged paragraphs that one page shows. */
const MAX_CHANGED_CHARACTERS = 1_000_000
const MAX_UNCHANGED_CHARACTERS = 500_000

type ShownPart = { kind: 'shown'; section: string; clause?: string; id?: string; rows: SideBySideRow[] }
type Part = ShownPart | { kind: 'folded'; rows: SideBySideRow[] }

/** Returns the id of what changed first in a section, or in one of its clauses. */
export type FindChange = (section: string, clause: string | undefined) => string | undefined

/** What the rows of one page share: the addresses of places, and which ids the changes have. */
type View = { addressOf: PlaceAddress; ids: Map<string, string> }
const keyOf = (section: string, clause = '') => `${section}\n${clause}`

/** Returns the rows of a difference as markup: changes beside each other, with what is between them folded. */
export function rowsView(
  all: SideBySideRow[],
  addressOf: PlaceAddress,
): { view: Html[]; cut: boolean; find: FindChange } {
  const { rows, cut } = bounded(all)
  const shared: View = { addressOf, ids: new Map() }
  const view = parts(rows).map((part, i) =>
    part.kind === 'folded' ? folded(part.rows, addressOf) : shown(part, `part-${i + 1}`, shared),
  )
  const find: FindChange = (section, clause) => shared.ids.get(keyOf(section, clause)) ?? shared.ids.get(keyOf(section))
  return { view, cut, find }
}

/** Returns as much of a text as one page shows. */
export function bounded(all: SideBySideRow[]): { rows: SideBySideRow[]; cut: boolean } {
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
  let [clause, before] = [undefined as string | undefined, '']
  let id: string | undefined
  for (const [i, row] of rows.entries()) {
    const last = found.at(-1)
    if (row.heading || row.section !== before) clause = row.clause
    before = row.section
    // The heading is above its section already.
    if (row.kind === 'same' && row.heading && near.has(i)) {
      id = row.anchor?.id
      continue
    }
    if (!near.has(i)) {
      if (last?.kind === 'folded') last.rows.push(row)
      else found.push({ kind: 'folded', rows: [row] })
    } else if (last?.kind === 'shown' && last.section === row.section) last.rows.push(row)
    else found.push({ kind: 'shown', section: row.section, clause, id, rows: [row] })
    id = undefined
  }
  return found
}

const number = (clause: string | undefined) => clause && html`<span class="clause">${citedAs(clause)}</span> `

function folded(rows: SideBySideRow[], addressOf: PlaceAddress): Html {
  const count = plural(rows.length, 'unchanged paragraph')
  return html`<details><summary>${count}</summary>${rows.map((row) => paragraph(row, addressOf))}</details>`
}

function shown({ section, clause, id, rows }: ShownPart, part: string, view: View): Html {
  const own = rows.some((row) => row.kind !== 'same' && row.clause === clause) ? keyOf(section, clause) : keyOf(section)
  for (const key of [keyOf(section), own]) if (!view.ids.has(key)) view.ids.set(key, part)
  const heading = section === '' ? 'Before the first heading' : section
  const named = id && html` id="${id}"`
  const pairs = rows.map((row, i) => {
    const above = i === 0 ? clause : rows[i - 1]!.clause
    return pair(row, { isFirst: row.clause !== above, id: `${part}-${i + 1}` }, view)
  })
  return html`<section class="part" id="${part}"><h3 dir="auto"${named}>${number(clause)}${heading}</h3>${pairs}</section>`
}

type Place = { isFirst: boolean; id: string }

function pair(row: SideBySideRow, { isFirst, id }: Place, view: View): Html {
  const { kind, section, clause, anchor } = row
  const isNew = kind !== 'same' && !view.ids.has(keyOf(section, clause))
  const own = anchor?.id ?? (isNew ? id : undefined)
  if (isNew && own) view.ids.set(keyOf(section, clause), own)
  const named = own && html` id="${own}"`
  if (kind === 'same')
    return html`<div class="pair same"${named}>${side('Both', row, withoutMark(row.left ?? '', row.heading))}${side('', row, withoutMark(row.right ?? '', row.heading))}</div>`
  const where = isFirst && clause !== undefined && !row.heading ? cited(row, view) : ''
  const [before, after] = kind === 'changed' ? ['Before', 'After'] : ['Removed', 'Added']
  return html`<div class="pair ${kind}"${named}>${where}${side(before!, row, removedSide(row))}${side(after!, row, addedSide(row))}</div>`
}

/** The clause in which a change is; a link where the later version has it here. */
function cited({ clause, section, anchor }: SideBySideRow, { addressOf }: View): Html {
  const name = citedAs(clause!)
  if (!anchor) return html`<p class="where">${name}</p>`
  return html`<p class="where"><a href="${addressOf(anchor.id)}" aria-label="Link to ${name}, ${section}">${name}</a></p>`
}

/** One of both columns. An empty one keeps its width and says nothing. */
function side(label: string, row: SideBySideRow, text: Html | string | undefined): Html {
  const shownText = text && html`<p dir="auto"${indented(row)}>${text}</p>`
  if (!shownText || label === '') return html`<div class="side" aria-hidden="true">${shownText || ''}</div>`
  return html`<div class="side"><p class="label">${label}</p>${shownText}</div>`
}

function removedSide(row: SideBySideRow): Html | undefined {
  if (row.left === undefined) return undefined
  return row.words ? marked(row, 'removed') : html`<del>${withoutMark(row.left, row.heading)}</del>`
}

function addedSide(row: SideBySideRow): Html | undefined {
  if (row.right === undefined) return undefined
  return row.words ? marked(row, 'added') : html`<ins>${withoutMark(row.right, row.heading)}</ins>`
}

/** The words of one side, with those marked that the other side does not have. */
function marked(row: SideBySideRow, mark: 'added' | 'removed'): Html {
  const own = row.words!.filter(({ kind }) => kind === 'same' || kind === mark)
  const words = own.map(({ text, kind }, i) => {
    const word = i === 0 ? withoutMark(text, row.heading) : text
    if (kind === 'same') return word
    // The space after a word is not part of the change.
    const said = word.trimEnd()
    const space = word.slice(said.length)
    return mark === 'added' ? html`<ins>${said}</ins>${space}` : html`<del>${said}</del>${space}`
  })
  return html`${words}`
}
