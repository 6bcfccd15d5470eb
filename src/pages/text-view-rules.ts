import { sectionsOf, withoutMark } from '../lib/text/document-text.ts'
import type { SideBySideRow } from '../terms/compare/side-by-side-rules.ts'
import { type Html, html } from './html-rules.ts'

/** A text with fewer sections than this is read without a table of contents. */
const MIN_CONTENTS = 5
const MAX_CONTENTS = 300

/** Returns the address of a place in the version that is shown, for as long as it is kept. */
export type PlaceAddress = (anchor: string) => string

/** Returns the paragraphs of one version, each clause with its number as a link. */
export const textView = (rows: SideBySideRow[], addressOf: PlaceAddress): Html[] =>
  rows.map((row) => paragraph(row, addressOf))

/** Returns the table of contents of a long text. */
export function contents(rows: SideBySideRow[]): Html | undefined {
  const entries = sectionsOf(rows)
  if (entries.length < MIN_CONTENTS) return undefined
  const items = entries
    .slice(0, MAX_CONTENTS)
    .map(
      ({ id, level, title }) =>
        html`<li class="level-${Math.min(level, 3)}"><a href="#${id}"><bdi>${title}</bdi></a></li>`,
    )
  return html`<nav class="contents" aria-labelledby="contents"><h2 id="contents">Contents</h2><ol>${items}</ol></nav>`
}

const textOf = (row: SideBySideRow): string => withoutMark(row.right ?? row.left ?? '', row.heading)

/** Entries of lists in lists are further in. */
const MAX_DEPTH = 4
export const indented = ({ depth = 0 }: SideBySideRow): Html | string =>
  depth > 0 ? html` class="depth-${Math.min(depth, MAX_DEPTH)}"` : ''

/** Returns a paragraph that is read alone, with its anchor and the link that cites it. */
export function paragraph(row: SideBySideRow, addressOf: PlaceAddress): Html {
  const text = plainParagraph(row)
  const { anchor } = row
  if (!anchor) return text
  const { id, clause } = anchor
  const link = html`<a class="cited" href="${addressOf(id)}" aria-label="Link to ${clause ?? row.section}">${row.heading ? '#' : (clause ?? '#')}</a>`
  return html`<div class="place" id="${id}">${link}${text}</div>`
}

function plainParagraph(row: SideBySideRow): Html {
  const text = textOf(row)
  if (!row.heading) return html`<p dir="auto"${indented(row)}>${text}</p>`
  const { level = 2 } = row
  if (level > 3) return html`<h5 dir="auto">${text}</h5>`
  return level === 3 ? html`<h4 dir="auto">${text}</h4>` : html`<h3 dir="auto">${text}</h3>`
}
