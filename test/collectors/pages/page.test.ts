import { describe, expect, it } from 'vitest'
import { readPage } from '../../../src/collectors/reading/tables/page.ts'

const read = (text: string, inside?: string[]) => readPage(new TextEncoder().encode(text), { inside })
const TABLE = '<table><tr><th>A</th></tr><tr><td>1</td></tr></table>'
const LINES = TABLE.replaceAll('><', '>\n<')
const cells = (text: string, inside?: string[]) =>
  read(text, inside).tables.map(({ rows }) => rows.map((row) => row.map(({ text: cell }) => cell)))
const EXPECTED = [[['A'], ['1']]]

describe('the bytes of a page', () => {
  it.each([
    ['HTML', TABLE],
    ['HTML after blank lines', `\n\n ${TABLE}`],
    // On lines of its own a table is none of Markdown's.
    ['HTML after a comment', `<!-- a b\nc -->\n\n${LINES}`],
    ['HTML beside a comment', `<!-- a b\nc -->${LINES}`],
    ['HTML with an attribute of its root', `<div class="x">${TABLE}</div>`],
    ['Markdown', '| A |\n| --- |\n| 1 |'],
    ['Markdown that begins with a word and a tag', 'x<p>y</p>\n\n| A |\n| --- |\n| 1 |'],
    ['Markdown that begins with a bracket', '[A page](https://a)\n\n| A |\n| --- |\n| 1 |'],
    ['Markdown that holds JSON', 'See {"a": 1}\n\n| A |\n| --- |\n| 1 |'],
    ['a text with NUL', `${TABLE.replace('1', '\0' + '1')}`],
  ])('are read as %s', (_, text) => expect(cells(text)).toEqual(EXPECTED))

  it('keep their letters when NUL is taken out', () => {
    expect(read('<p>ab\0c</p>').text).toBe('abc')
    expect(read(JSON.stringify({ a: '<p>ab\0c</p>' }), ['a']).text).toBe('abc')
  })

  it.each([
    ['nothing', '', /is empty/],
    ['blanks', ' \n\t', /is empty/],
    ['an object in JSON', ' {"a": 1}', /is JSON/],
    ['a list in JSON', '[1]', /is JSON/],
    ['more than 8 MiB', `<p>${'a'.repeat(8 * 1024 * 1024)}`, /is larger than 8388608 characters/],
  ])('are refused where they are %s', (_, text, reason) => expect(() => read(text)).toThrow(reason))

  it('are read up to their limit', () => expect(read('a'.repeat(8 * 1024 * 1024)).tables).toEqual([]))

  it('may hold the page inside an answer in JSON, or be the page', () => {
    expect(cells(JSON.stringify({ data: { content: TABLE } }), ['data', 'content'])).toEqual(EXPECTED)
    expect(cells(TABLE, ['data', 'content'])).toEqual(EXPECTED)
    for (const answer of [{}, { data: 1 }, { data: { content: 5 } }, { data: { content: ' \n' } }, [1]])
      expect(() => read(JSON.stringify(answer), ['data', 'content'])).toThrow(/has no page at data\.content/)
  })
})
