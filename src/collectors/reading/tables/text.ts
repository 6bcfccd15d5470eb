/** Invisible characters, glyphs of icon fonts, and the arrow of a link that leads away. */
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff\ue000-\uf8ff\u2197]/g

export const plainText = (text: string): string => text.replace(INVISIBLE, '').replace(/\s+/g, ' ').trim()

/** How a heading is compared: in small letters, without footnote marks, `&` as `and`. */
export const headingKey = (text: string): string =>
  plainText(text)
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/\s*\(/g, ' (')
    .replace(/(?:\s*(?:\*+|[†‡¹²³⁴⁵]|\[\d{1,2}\]|\(\d{1,2}\)))+$/, '')
    .trim()
