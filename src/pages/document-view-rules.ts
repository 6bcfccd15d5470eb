import type { Instant } from '../lib/instant.ts'
import type { VersionDifference } from '../terms/read/compare-versions.ts'
import type { DocumentChange } from '../terms/read/find-change.ts'
import type { VersionEntry } from '../terms/read/list-documents.ts'
import { difference, TOO_LONG, words } from './difference-view-rules.ts'
import { type Html, html } from './html-rules.ts'
import { page } from './layout-rules.ts'
import { bounded } from './rows-view-rules.ts'
import { contents, type PlaceAddress, textView } from './text-view-rules.ts'

/** Versions that are listed and can be chosen. */
const MAX_LISTED = 100

/** `providerName` is what the provider is called; `isText` whether the later version is read alone. */
type View = DocumentChange & { compared: VersionDifference; providerName: string; isText: boolean; origin: string }

/** Returns the page of a document: two of its versions beside each other, or one to read. */
export function documentPage(view: View): Buffer {
  const { document, providerName, isText } = view
  const heading = `${document.title}, ${providerName}`
  return page(
    `${heading} · ${isText ? 'text' : 'what changed'}`,
    html`<p class="back"><a href="/documents">← Documents</a></p>
<h1><bdi>${document.title}</bdi></h1>
<p class="lead">A document of <bdi>${providerName}</bdi> · ${sourceLink(document.url)}</p>
${views(view)}
${comparedVersions(view)}
${chooser(view)}
${isText ? onlyText(view) : difference(view.compared, placeAddress(view))}
${citation(view)}
${history(view)}`,
    { text: aboutText(view), url: permanentAddress(view) },
  )
}

/** The address of what is shown, for as long as its versions are kept. */
function permanentAddress({ origin, document, before, after, isText }: View): string {
  const path = `${origin}/documents/${document.provider}/${document.document}`
  return isText || !before
    ? `${path}?to=${after.versionId}&view=text`
    : `${path}?from=${before.versionId}&to=${after.versionId}`
}

/** A place in the later version, which is read alone there. */
const placeAddress =
  ({ after }: View): PlaceAddress =>
  (anchor) =>
    `?to=${after.versionId}&view=text#${anchor}`

/** How this page is cited: who said what, since when, and where it stays readable. */
function citation(view: View): Html {
  const { document, providerName, before, after, isText } = view
  const url = permanentAddress(view)
  const at = isText || !before ? after.recordedAt! : `${before.recordedAt} and ${after.recordedAt}`
  return html`<section class="cite" aria-labelledby="cite"><h2 id="cite">Cite this</h2>
<p><bdi>${providerName}</bdi>, <bdi>${document.title}</bdi>, as recorded ${at}, <a href="${url}">${url}</a></p></section>`
}

/** What changed, or the text. */
function views({ before, after, isText }: View): Html | undefined {
  if (!before) return undefined
  const view = (label: string, query: string, isShown: boolean) =>
    html`<a href="${query}"${isShown ? html` aria-current="page"` : ''}>${label}</a>`
  return html`<nav class="views" aria-label="What is shown">${view('What changed', `?from=${before.versionId}&to=${after.versionId}`, !isText)}${view('Text', `?to=${after.versionId}&view=text`, isText)}</nav>`
}

/** What the page shows, in a sentence. */
function aboutText({ isText, after, compared }: View): string {
  const day = after.recordedAt?.slice(0, 10)
  if (isText) return `Its text as recorded on ${day}.`
  const { classification, significance } = compared
  const { wordsRemoved, wordsAdded } = compared.difference
  return `A ${classification} change recorded on ${day}, significance ${significance}: ${words(wordsRemoved)} removed, ${words(wordsAdded)} added.`
}

/** Only addresses of the web are links: a declared address may be anything. */
function sourceLink(url: string): Html {
  if (!/^https?:\/\//i.test(url)) return html`Its address: ${url}`
  return html`<a href="${url}" rel="noopener noreferrer nofollow">The text at its provider</a>`
}

/** `13 November 2026, 08:15 UTC` */
function time(instant: Instant): Html {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
  return html`<time datetime="${instant}">${format.format(new Date(instant)).replace(' at ', ', ')} UTC</time>`
}

function comparedVersions({ before, after, isText }: View): Html {
  const version = (
    label: string,
    { recordedAt, effectiveDate, updatedDate }: VersionEntry,
  ) => html`<div><dt>${label}</dt>
<dd>recorded ${time(recordedAt!)}</dd>${effectiveDate ? html`<dd>effective ${effectiveDate}</dd>` : ''}${
    updatedDate ? html`<dd>updated ${updatedDate}</dd>` : ''
  }</div>`
  return html`<dl class="versions">${isText ? version('Text', after) : [version('Before', before!), version('After', after)]}</dl>`
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

function onlyText(view: View): Html {
  const { rows, truncated } = view.compared
  const shown = bounded(rows)
  return html`<div class="reading">${contents(shown.rows)}<section aria-labelledby="text"><h2 id="text">The text</h2><div class="text">${textView(shown.rows, placeAddress(view))}</div>${shown.cut || truncated ? TOO_LONG : ''}</section></div>`
}

function history({ versions, after }: View): Html {
  const items = versions
    .slice(0, MAX_LISTED)
    .map(({ versionId, previousVersion, recordedAt, classification, significance }) => {
      const query = previousVersion ? `?from=${previousVersion}&to=${versionId}` : `?to=${versionId}&view=text`
      const current = versionId === after.versionId ? html` aria-current="page"` : ''
      return html`<li><a href="${query}"${current}>${time(recordedAt!)}</a><span class="quiet">${[classification ?? 'first version', significance].filter(Boolean).join(', ')}</span></li>`
    })
  const more = versions.length > MAX_LISTED ? html`<p class="quiet">Older versions are left out.</p>` : ''
  return html`<nav aria-labelledby="versions"><h2 id="versions">Versions</h2><ol class="history">${items}</ol>${more}</nav>`
}
