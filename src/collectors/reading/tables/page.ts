import { SnapshotError } from '../../snapshot-error.ts'
import { textOf } from '../json.ts'
import { type Cards, cardTables } from './cards.ts'
import { htmlPage } from './html-page.ts'
import { markdownToHtml } from './markdown.ts'
import type { Page, Table, Titles } from './schema.ts'

/** The largest known page has 600 KB. */
const MAX_CHARACTERS = 8 * 1024 * 1024

/**
 * Reads a page, HTML or Markdown, as tables.
 * @throws SnapshotError when it is neither.
 */
export function readPage(bytes: Uint8Array, titles?: Titles, cards?: Cards): Page {
  const text = textOf(bytes).replaceAll('\0', '')
  if (text.trim() === '') throw new SnapshotError('The answer is empty; a page of prices was expected.')
  if (text.length > MAX_CHARACTERS) throw new SnapshotError(`The page is larger than ${MAX_CHARACTERS} characters.`)
  if (/^\s*[[{]"?/.test(text) && isJson(text))
    throw new SnapshotError('The answer is JSON; a page of prices was expected.')
  const page = htmlPage(isHtml(text) ? text : markdownToHtml(text), titles)
  return cards ? withTables(page, cardTables(text, cards)) : page
}

/** A page with more tables, which are then a part of what it says. */
export const withTables = (page: Page, tables: Table[]): Page => ({
  ...page,
  text: [page.text, ...tables.flatMap(({ rows }) => rows.map((row) => row.map(({ text }) => text).join(' | ')))].join(
    '\n',
  ),
  tables: [...page.tables, ...tables],
})

const isHtml = (text: string): boolean =>
  /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype|html|head|body|main|article|div|section|table|h[1-6]|p)\b/i.test(text)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
