/** An address that is shown, as its host: what follows it (ids, queries) says nothing. */
const URL_TEXT = /<?\bhttps?:\/\/(?:www\.)?([^\s/<>()[\]"']+)[^\s<>()[\]"']*>?/gi
/** The end of a link whose text holds an empty line, as pages with buttons give: no link by the letter. */
const STRAY_TARGET = /\]\([^()\s]*\)/g
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g

/** Marks before a line's text: bullets, then numbering such as `1.`, `(b)`, `iv)`, `3.2.`. */
const BULLET = /^[*+\-•◦▪–] /
const LETTERED = /^(?:\d{1,3}|[a-zA-Z])[.)] /
const NUMBERING = /^\(?(?:\d{1,3}(?:\.\d{1,3}){0,4}|[a-zA-Z]|[ivxIVX]{1,5})[.)] /
const BARE_NUMBERING = /^\d{1,2}(?:\.\d{1,2}){1,3} (?=["'*_]{0,3}\p{Lu}\p{Ll})/u

/** A piece of a line with its addresses shown as their hosts: done before what follows a link can run into it. */
export const withoutUrls = (text: string): string => text.replace(URL_TEXT, '$1')

/** The text of a line in one kind of quotes, dashes and spaces, without what cannot be seen. */
function plainCharacters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(STRAY_TARGET, '')
    .replace(/[‘’ʼ`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[‐‑‒–—―]/g, '-')
    .replace(/[[\]|~]/g, (mark) => (mark === '|' ? ' ' : ''))
    .replace(/\s+/g, ' ')
    .trim()
}

/** Marks of emphasis that are no emphasis in the tree, because a space is on the wrong side of them. */
const withoutStrayMarks = (text: string): string =>
  text
    .replace(/[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}/g, '')
    .replace(/\( ?\)/g, '')
    .trim()

/** A line without its bullet and its number, and whether it began with one. */
export function plainLine(line: string): { text: string; item: boolean } {
  const text = plainCharacters(line)
  const item = BULLET.test(text) || LETTERED.test(text)
  const bare = text.replace(BULLET, '').replace(NUMBERING, '').replace(NUMBERING, '').replace(BARE_NUMBERING, '')
  return { text: withoutStrayMarks(bare), item }
}

export const plainRow = (cells: string[]): string => withoutStrayMarks(plainCharacters(cells.join(' ')))

/** A line that only draws: `---`, `* * *`, `| --- | --- |`. */
export const isDrawing = (line: string): boolean => /^[-*_=|:\s]+$/.test(line)
