import { SnapshotError } from '../../snapshot-error.ts'
import { textOf } from '../json.ts'
import { isObject } from '../json-object.ts'
import { jsonIn } from '../parse-json.ts'
import { type Cards, cardTables } from './cards.ts'
import { htmlPage } from './html-page.ts'
import { markdownToHtml } from './markdown.ts'
import type { Page, Table, Titles } from './schema.ts'

/** The largest known page has 600 KB. */
const MAX_CHARACTERS = 8 * 1024 * 1024

/** Where the page is inside an answer in JSON, texts of it that head what follows, and boxes in its data. */
type Reading = { inside?: string[]; titles?: Titles; cards?: Cards }

/**
 * Reads a page, HTML or Markdown, as tables.
 * @throws SnapshotError when it is neither.
 */
export function readPage(bytes: Uint8Array, { inside, titles, cards }: Reading = {}): Page {
  const text = textOf(bytes).replaceAll('\0', '')
  if (text.trim() === '') throw new SnapshotError('The answer is empty; a page of prices was expected.')
  if (text.length > MAX_CHARACTERS) throw new SnapshotError(`The page is larger than ${MAX_CHARACTERS} characters.`)
  const json = /^\s*[[{]/.test(text) ? jsonIn(text) : undefined
  if (json !== undefined && !inside) throw new SnapshotError('The answer is JSON; a page of prices was expected.')
  const given = json === undefined ? text : pageIn(json, inside!)
  const page = htmlPage(json !== undefined || isHtml(given) ? given : markdownToHtml(given), titles)
  return cards ? withTables(page, cardTables(given, cards)) : page
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

/** The text at a place in an answer in JSON. */
function pageIn(json: unknown, inside: string[]): string {
  const found = inside.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), json)
  const page = typeof found === 'string' ? found.replaceAll('\0', '') : ''
  if (page.trim() !== '') return page
  throw new SnapshotError(`The answer has no page at ${inside.join('.')}.`)
}
