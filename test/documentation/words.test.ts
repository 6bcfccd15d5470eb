import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
/** Expressions of CONTRIBUTING.md, Words, that are never right in a text for people. */
const AVOIDED =
  /\b(nobody|somebody|everybody|for ever|mended|anew|came or went|faults? of ours|who is signed in|(?:is|are) called so)\b/i

const filesIn = (folder: string, end: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => end.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name))

const found = (file: string, text: string): string[] =>
  text.split('\n').flatMap((line) => (AVOIDED.test(line) ? [`${file}: ${line.trim()}`] : []))

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

  it('are in no text of the product: screens, messages, mails, reports', () => {
    const files = ['src', 'activities', 'workflows'].flatMap((folder) => filesIn(folder, /\.tsx?$/))
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap((file) => found(file, withoutComments(read(file))))).toEqual([])
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
