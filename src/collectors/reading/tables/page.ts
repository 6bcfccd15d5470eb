import { SnapshotError } from '../../snapshot-error.ts'
import { isObject, textOf } from '../json.ts'
import { htmlPage } from './html-page.ts'
import { markdownToHtml } from './markdown.ts'
import type { Page, Titles } from './schema.ts'

/** The largest known page has 600 KB. */
const MAX_CHARACTERS = 8 * 1024 * 1024

/** Where the page is inside an answer in JSON, and texts of it that head what follows. */
type Reading = { inside?: string[]; titles?: Titles }

/**
 * Reads a page, HTML or Markdown, as tables.
 * @throws SnapshotError when it is neither.
 */
export function readPage(bytes: Uint8Array, { inside, titles }: Reading = {}): Page {
  const text = textOf(bytes).replaceAll('\0', '')
  if (text.trim() === '') throw new SnapshotError('The answer is empty; a page of prices was expected.')
  if (text.length > MAX_CHARACTERS) throw new SnapshotError(`The page is larger than ${MAX_CHARACTERS} characters.`)
  const json = /^\s*[[{]/.test(text) ? parsed(text) : undefined
  if (inside && json !== undefined) return htmlPage(pageIn(json, inside), titles)
  if (json !== undefined) throw new SnapshotError('The answer is JSON; a page of prices was expected.')
  return htmlPage(isHtml(text) ? text : markdownToHtml(text), titles)
}

const isHtml = (text: string): boolean =>
  /^\s*(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:!doctype|html|head|body|main|article|div|section|table|h[1-6]|p)\b/i.test(text)

/** The text at a place in an answer in JSON. */
function pageIn(json: unknown, inside: string[]): string {
  const found = inside.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), json)
  const page = typeof found === 'string' ? found.replaceAll('\0', '') : ''
  if (page.trim() !== '') return page
  throw new SnapshotError(`The answer has no page at ${inside.join('.')}.`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
