import type { Instant } from '../lib/instant.ts'
import type { VersionDifference } from '../terms/read/compare-versions.ts'
import type { DocumentChange } from '../terms/read/find-change.ts'
import type { VersionEntry } from '../terms/read/list-documents.ts'
import { type Html, html } from './html-rules.ts'
import { page } from './layout-rules.ts'
import { rowsView, textView } from './rows-view-rules.ts'

/** Versions that are listed and can be chosen. */
const MAX_LISTED = 100
/** A difference lists this many changes at most. */
const MAX_CHANGES = 200

type View = DocumentChange & { compared: VersionDifference }

/** Returns the page of a document: two of its versions beside each other, or its only text. */
export function documentPage(view: View): Buffer {
  const { document, before } = view
  const heading = `${document.title}, ${document.provider}`
  return page(
    `${heading} · ${before ? 'what changed' : 'text'}`,
    html`<h1><bdi>${document.title}</bdi></h1>
<p class="lead">A document of <bdi>${document.provider}</bdi>. ${sourceLink(document.url)}</p>
${comparedVersions(view)}
${chooser(view)}
${before ? difference(view) : onlyText(view)}
${history(view)}`,
    aboutText(view),
  )
}

/** What the page shows, in a sentence. */
function aboutText({ before, after, compared }: View): string {
  const day = after.recordedAt?.slice(0, 10)
  if (!before) return `Its text as recorded on ${day}.`
  const { classification, significance } = compared
  const { wordsRemoved, wordsAdded } = compared.difference
  return `A ${classification} change recorded on ${day}, significance ${significance}: ${words(wordsRemoved)} removed, ${words(wordsAdded)} added.`
}

/** Only addresses of the web are links: a declared address may be anything. */
function sourceLink(url: string): Html {
  if (!/^https?:\/\//i.test(url)) return html`Its address: ${url}`
  return html`<a href="${url}" rel="noopener noreferrer nofollow">The text at its provider</a>`
}

const words = (count: number) => (count === 1 ? '1 word' : `${count.toLocaleString('en')} words`)

/** `13 November 2026, 08:15 UTC` */
function time(instant: Instant): Html {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return html`<time datetime="${instant}">${format.format(new Date(instant)).replace(' at ', ', ')} UTC</time>`
}

function comparedVersions({ before, after }: View): Html {
  const version = (
    label: string,
    { recordedAt, effectiveDate, updatedDate }: VersionEntry,
  ) => html`<div><dt>${label}</dt>
<dd>recorded ${time(recordedAt!)}</dd>${effectiveDate ? html`<dd>effective ${effectiveDate}</dd>` : ''}${
    updatedDate ? html`<dd>updated ${updatedDate}</dd>` : ''
  }</div>`
  return html`<dl class="versions">${before && version('Before', before)}${version(before ? 'After' : 'Text', after)}</dl>`
}

/** A form without scripts: it asks for the same page with other versions. */
function chooser({ versions, before, after }: View): Html | undefined {
  if (versions.length < 2) return undefined
  const listed = [...new Set([...versions.slice(0, MAX_LISTED), ...(before ? [before] : []), after])]
  const options = (chosen: VersionEntry | undefined) =>
    listed.map(
      ({ versionId, recordedAt }) =>
        html`<option value="${versionId}"${versionId === chosen?.versionId ? html` selected` : ''}>${recordedAt!.slice(0, 16).replace('T', ' ')} UTC</option>`,
    )
  return html`<form method="get"><label>Compare <select name="from">${options(before)}</select></label>
<label>with <select name="to">${options(after)}</select></label><button type="submit">Show</button></form>`
}

function difference({ compared }: View): Html {
  const { view, cut, anchors } = rowsView(compared.rows)
  return html`${changes(compared, anchors)}
<h2>Both versions</h2>
<div class="columns" aria-hidden="true"><p>Before</p><p>After</p></div>
${view}${cut || compared.truncated ? TOO_LONG : ''}`
}

const TOO_LONG = html`<p class="notice">This is too long for one page: a part of it is left out here.</p>`

function changes({ difference, classification, significance }: VersionDifference, anchors: Map<string, string>): Html {
  const { wordsRemoved, wordsAdded, changes, rows } = difference
  if (changes.length === 0)
    return html`<h2>What changed</h2><p>Both versions say the same. What differs is layout or links.</p>`
  const items = changes.map(({ section, clause, topics, wordsRemoved, wordsAdded }) => {
    const name = section || 'Before the first heading'
    const anchor = anchors.get(section)
    return html`<li><span dir="auto">${clause && html`<span class="clause">${clause}</span> `}${anchor ? html`<a href="#${anchor}">${name}</a>` : name}${
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

function onlyText({ compared }: View): Html {
  const { view, cut } = textView(compared.rows)
  return html`<h2>The text</h2><div class="text">${view}</div>${cut || compared.truncated ? TOO_LONG : ''}`
}

function history({ versions, after }: View): Html {
  const items = versions
    .slice(0, MAX_LISTED)
    .map(({ versionId, previousVersion, recordedAt, classification, significance }) => {
      const query = previousVersion ? `?from=${previousVersion}&to=${versionId}` : `?to=${versionId}`
      const current = versionId === after.versionId ? html` aria-current="page"` : ''
      return html`<li><a href="${query}"${current}>${time(recordedAt!)}</a><span class="quiet">${[classification ?? 'first version', significance].filter(Boolean).join(', ')}</span></li>`
    })
  const more = versions.length > MAX_LISTED ? html`<p class="quiet">Older versions are left out.</p>` : ''
  return html`<nav aria-labelledby="versions"><h2 id="versions">Versions</h2><ol class="history">${items}</ol>${more}</nav>`
}
