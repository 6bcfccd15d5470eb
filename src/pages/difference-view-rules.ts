import { citedAs } from '../lib/text/document-text.ts'
import type { VersionDifference } from '../terms/read/compare-versions.ts'
import { type Html, html } from './html-rules.ts'
import { type FindChange, rowsView } from './rows-view-rules.ts'
import type { PlaceAddress } from './text-view-rules.ts'

/** A difference lists this many changes at most. */
const MAX_CHANGES = 200

export const words = (count: number): string => (count === 1 ? '1 word' : `${count.toLocaleString('en')} words`)

/** Returns what changed between two versions, and both of them beside each other. */
export function difference(compared: VersionDifference, addressOf: PlaceAddress): Html {
  const { view, cut, find } = rowsView(compared.rows, addressOf)
  return html`${changes(compared, find)}
<h2>Both versions</h2>
<div class="columns" aria-hidden="true"><p>Before</p><p>After</p></div>
${view}${cut || compared.truncated ? TOO_LONG : ''}`
}

export const TOO_LONG = html`<p class="notice">This is too long for one page: a part of it is left out here.</p>`

function changes({ difference, classification, significance }: VersionDifference, find: FindChange): Html {
  const { wordsRemoved, wordsAdded, changes, rows } = difference
  if (changes.length === 0)
    return html`<h2>What changed</h2><p>Both versions say the same. What differs is layout or links.</p>`
  const items = changes.map(({ section, clause, topics, wordsRemoved, wordsAdded }) => {
    const name = section || 'Before the first heading'
    const anchor = find(section, clause)
    return html`<li><span dir="auto">${clause && html`<span class="clause">${citedAs(clause)}</span> `}${anchor ? html`<a href="#${anchor}">${name}</a>` : name}${
      topics.length > 0 ? html` <span class="quiet">· ${topics.join(', ')}</span>` : ''
    }</span><span class="count">${words(wordsRemoved)} removed, ${wordsAdded.toLocaleString('en')} added</span></li>`
  })
  const names = rows.flatMap(({ removed, added, changed }) => [
    ...removed.map((name) => html`<li><del>${name}</del></li>`),
    ...added.map((name) => html`<li><ins>${name}</ins></li>`),
    ...changed.map((name) => html`<li>${name} <span class="quiet">says something else</span></li>`),
  ])
  return html`<h2>What changed</h2>
<p>A ${classification} change, significance ${significance}: ${words(wordsRemoved)} removed, ${words(wordsAdded)} added.</p>
<ol class="changes">${items}</ol>${changes.length >= MAX_CHANGES ? html`<p class="quiet">There may be more changes than this list holds.</p>` : ''}
${names.length > 0 ? html`<h2>Entries removed, added and changed</h2><ul>${names}</ul>` : ''}`
}
