import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Expressions of CONTRIBUTING.md, Words, that are never right in a text for people. */
const AVOIDED =
  /\b(nobody|somebody|everybody|for ever|mended|anew|faults? of ours|(?:is|are) called so|subscribers are sent)\b/i
/** Of those, what is not right in the title of a test either. "There is no x" and "is no longer" are plain English. */
const PHRASES =
  /\b(who (?:is|are|was|were) signed in|that went|came or went|so many|(?<!\bthere )(?:is|are|was|were) no (?!longer\b|more\b|less\b|one\b)[a-z])/i

/** The title of a test or of a group of them, also after a table. */
const TITLE = /^\s*(?:(?:it|test|describe)(?:\.\w+)*\(|\][^\n]*\)\()(['"`])(.+?)\1,/gm

const filesIn = (folder: string, end: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => end.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))

const found = (file: string, text: string, avoided = [AVOIDED, PHRASES]): string[] =>
  text.split('\n').flatMap((line) => (avoided.some((one) => one.test(line)) ? [`${file}: ${line.trim()}`] : []))

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Code without its comments, those of SQL too. */
const withoutComments = (code: string): string =>
  code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)(\/\/|--\s).*$/gm, '')

describe('expressions to avoid', () => {
  it('are found in strings and between tags, and not in comments', () => {
    expect(found('a.tsx', withoutComments('<p title="x">Nobody has one</p>'))).toHaveLength(1)
    expect(
      found('a.ts', withoutComments("const a = 'made anew' // by somebody\n/** Nobody. */\n  -- for ever")),
    ).toEqual(["a.ts: const a = 'made anew'"])
  })

  it('are in no text of the product: screens, messages, mails, reports; the plainest ones are in no comment either', () => {
    const files = ['src', 'activities', 'workflows'].flatMap((folder) => filesIn(folder, /\.tsx?$/))
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap((file) => found(file, withoutComments(read(file))))).toEqual([])
    expect(files.flatMap((file) => found(file, read(file), [AVOIDED]))).toEqual([])
  })

  it('are in no title of a test', () => {
    const files = filesIn('test', /\.test\.tsx?$/).filter((file) => !file.endsWith('words.test.ts'))
    const titles = (file: string) => [...read(file).matchAll(TITLE)].map(([, , title]) => title).join('\n')
    expect(files.map(titles).join('\n').split('\n').length).toBeGreaterThan(2_000)
    expect(files.flatMap((file) => found(file, titles(file), [PHRASES]))).toEqual([])
  })

  it('are on no page', () => {
    const pages = [
      'README.md',
      'ARCHITECTURE.md',
      'SECURITY.md',
      ...filesIn('docs', /\.md$/),
      ...filesIn('bench', /\.md$/),
    ]
    expect(pages.flatMap((page) => found(page, read(page)))).toEqual([])
  })
})
