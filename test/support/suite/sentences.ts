import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')
/** The specification lies beside the checkout: it is not part of it. */
export const SPECIFICATION = join(ROOT, '../shared/specification.md')

/** A sentence of the specification: a row of a table counts as one. */
export type Sentence = { section: string; text: string }

const isRule = (line = ''): boolean => /^\|[-| ]+\|$/.test(line)

/** The sentences of the specification in their order. Headings and the heads of tables are none. */
export function sentencesOf(specification: string): Sentence[] {
  const lines = specification.split('\n').map((line) => line.trim())
  const sentences: Sentence[] = []
  let section = ''
  for (const [n, line] of lines.entries()) {
    if (line.startsWith('#')) section = line.replace(/^#+\s*/, '')
    else if (line.startsWith('|')) {
      if (isRule(line) || isRule(lines[n + 1])) continue
      const cells = line.slice(1, -1).split('|')
      sentences.push({ section, text: cells.map((cell) => cell.trim()).join(' ¦ ') })
    } else if (line) {
      const parts = line.replace(/^(?:-|\d+\.)\s+/, '').split(/(?<=[.:]) +(?=[A-Z`])/)
      sentences.push(...parts.map((text) => ({ section, text })))
    }
  }
  return sentences
}

/** Tells a sentence from every other, so that a changed one is noticed. */
export const hashOf = ({ text }: Sentence): string =>
  createHash('sha256').update(text.replace(/\s+/g, ' ')).digest('hex').slice(0, 8)

/** A row of the table: what a sentence is about, and the tests that prove it, or why none can. */
export type Row = { nr: number; hash: string; section: string; subject: string; tests: string[]; explanatory?: string }

/** Reads the table. @throws on a line that is none of it */
export function rowsOf(table: string): Row[] {
  const rows: Row[] = []
  let section = ''
  for (const line of table.split('\n').filter((line) => line && !line.startsWith('//'))) {
    const [, nr, hash, subject] = /^(\d+) ([0-9a-f]{8}) (\S.*)$/.exec(line) ?? []
    const [, test] = /^ {4}(test\/\S.*)$/.exec(line) ?? []
    const [, explanatory] = /^ {4}explanatory: (\S.*)$/.exec(line) ?? []
    const row = rows.at(-1)
    if (line.startsWith('# ')) section = line.slice(2)
    else if (nr) rows.push({ nr: Number(nr), hash: hash!, section, subject: subject!, tests: [] })
    else if (test && row) row.tests.push(test)
    else if (explanatory && row) row.explanatory = explanatory
    else throw new Error(`Not a line of the table: ${line}`)
  }
  return rows
}

const read = new Map<string, string>()
function textOf(file: string): string {
  if (!read.has(file)) read.set(file, readFileSync(join(ROOT, file), 'utf8'))
  return read.get(file)!
}

const PART = '…'
const BEFORE_TITLE = /(\b(?:it|test)|\))\(\s*(?:(['"`])|[a-zA-Z]\w*,)/g

/** The text from after a quote to the one that ends it, with `…` for each expression in it, and where it ends. */
function quoted(code: string, from: number, quote: string): { text: string; end: number } {
  let text = ''
  let at = from
  for (; code[at] !== quote && at < code.length; at++) {
    if (code[at] === '\\') text += code[++at]
    else if (quote === '`' && code.startsWith('${', at)) {
      at = endOfExpression(code, at + 2)
      text += PART
    } else text += code[at]
  }
  return { text, end: at }
}

function endOfExpression(code: string, from: number): number {
  let depth = 1
  for (let at = from; at < code.length; at++) {
    if (code[at] === '`') at = quoted(code, at + 1, '`').end
    if (code[at] === '{') depth++
    if (code[at] === '}' && --depth === 0) return at
  }
  return code.length
}

/** The titles of a file's tests as they are written, with `…` for what each case puts in. */
export function titlesOf(file: string): string[] {
  const code = textOf(file)
  return [...code.matchAll(BEFORE_TITLE)].map(({ 0: found, 1: before, 2: quote, index }) => {
    if (!quote) return PART
    const { text } = quoted(code, index + found.length, quote)
    // Only the title after `.each(…)` has places for its cases.
    return before === ')' ? text.replace(/%[sdifjo#$]|\$[a-zA-Z][\w.]*/g, PART) : text
  })
}

/** The text of a test file and of the files beside it that it imports. */
function withImports(file: string): string {
  const imports = [...textOf(file).matchAll(/from '(\.[^']+)'/g)].map(([, path]) =>
    relative(ROOT, join(ROOT, dirname(file), path!)),
  )
  return [file, ...imports.filter((path) => path.startsWith('test/') && existsSync(join(ROOT, path)))]
    .map(textOf)
    .join('\n')
}

/**
 * Whether a test exists: `file › title`, or `file › title › case` where a table makes several. A title that is nothing
 * but its case needs no more than the case. Returns what is missing.
 */
export function missingOf(test: string): string | undefined {
  const [file, title, ofTable] = test.split(' › ')
  if (!title) return 'names no title'
  if (!existsSync(join(ROOT, file!))) return 'has no such file'
  const titles = titlesOf(file!)
  const written = titles.includes(title)
  if (!written && !titles.includes(PART)) return 'has no such title'
  const wanted = written ? ofTable : title
  return wanted === undefined || withImports(file!).includes(wanted) ? undefined : 'has no such case'
}
