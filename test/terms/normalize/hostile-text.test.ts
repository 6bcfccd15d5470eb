import { describe, expect, it } from 'vitest'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'
import { compareSideBySide, readDocument } from '../../../src/terms/read/read-document.ts'
import { isolation } from '../../support/isolation.ts'
import { allowedMs } from '../../support/suite/allowed-time.ts'
import { TERMS } from '../texts.ts'

const MEGABYTE = 1024 * 1024
const LIMIT_MS = 5_000

/** What a page repeats: each is the worst case of some pattern or parser, and most were found by trying. */
const REPEATED = [
  ' ', '\t', '\n', '\r', '\u00a0', 'a', 'a ', 'A. ', '0', '1 ', '1. ', '1) ', '[', ']', '](', '![', '[]', '[](', '[a](b)',
  '[a]: b\n', '[a][', '[(', '<', '>', '> ', '>\n', '<a ', '<a b="', '<!--', '<?', '<http:', '</', '！［］（', '＜＞', '［',
  '*', '*a', 'a*', 'a* ', ' *a', '**a ', '_', '_a', 'a_ ', '`', '`a', '``a`', '~', '~a', 'a~', '|', 'a|', '|\n', '|-\n',
  '-', '- ', '- a\n', '+ ', '=', 'a\n=\n', 'a\n\n', '#', '# ', '\\', '&', '&a', '&#0;', '!', '(', '( ', ')', '"', '.', '."',
  ': ', ';', '/', '@', 'a@', 'a.', '%', '$', '$1', '1,', '2025', 'may 1 ', 'https://', 'page ', 'we use ', 'an ', '我', 'é',
  '\ud83d\ude00', '\u200b', 'updated ', 'email protected ', 'english version ', 'opens in ', '\t- ', ' \n', ' [', '"]',
] // biome-ignore format: a table of inputs

/**
 * Repeated to a whole megabyte in every run: what a limit has to refuse before it is parsed. The others fill 32 KB, of
 * which a reader that takes more than linear time does not come to the end within its processor time;
 * PRICETAPE_TEST_HOSTILE=whole repeats all of them to a megabyte.
 */
const ALWAYS_WHOLE = new Set(['[', '<', '*a', '|', '- a\n', '+ ', '！［］（'])
const PART_BYTES = 32 * 1024
const whole = process.env.PRICETAPE_TEST_HOSTILE === 'whole'
const isWhole = (text: string) => whole || ALWAYS_WHOLE.has(text)

function repeat(text: string, bytes = isWhole(text) ? MEGABYTE : PART_BYTES): string {
  return text.repeat(Math.ceil(bytes / Buffer.byteLength(text)))
}

async function measured<T>(work: Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work
  expect(performance.now() - started).toBeLessThan(allowedMs(LIMIT_MS))
  return result
}

/** A part is read, or rejected for what it says: no limit stops its reader, which ends by itself. */
function expectAnswer(result: object, isPart: boolean) {
  const { problem } = result as { problem?: string }
  if (problem === undefined) expect(result).toHaveProperty('markdown')
  else if (isPart) expect(problem).not.toMatch(/takes (more|longer|too much)|ended before/)
}

/** Entries of which each is one level deeper. */
const stairs = (depth: number) =>
  Array.from({ length: depth }, (_, level) => `${'  '.repeat(level)}- entry ${level}`).join('\n')

const stored = (markdown: string) => ({ markdown })

describe('a page of up to a megabyte that repeats a text', () => {
  const selectors = { select: [], remove: [] }
  const read = (text: string, contentType: string) =>
    readDocument(isolation, { content: { bytes: Buffer.from(text), contentType, selectors }, current: stored(TERMS) })

  it.each(REPEATED)('is read or rejected within five seconds as Markdown: %j', async (text) => {
    expectAnswer(await measured(read(repeat(text), 'text/markdown')), !isWhole(text))
  })

  it.each([
    '<',
    '<b>',
    '<i></i>',
    '<ul><li>',
    '<table><tr><td>',
    '<p>[',
    '<p>*a',
    '<!--',
    '<a ',
    '&amp;',
    '<p> ',
    '＜＞',
  ])('is read or rejected within five seconds as HTML: %j', async (text) => {
    const page = `<html><body><main><h1>Terms</h1>${repeat(text, whole ? MEGABYTE : PART_BYTES)}</main></body></html>`
    expectAnswer(await measured(read(page, 'text/html')), !whole)
  })

  it.each(['a ', '1. a\n', '- a\n', 'a\n\n', '我', 'A b. ', '| a |\n'])(
    'is compared with a text like it within five seconds: %j',
    { timeout: 240_000 },
    async (text) => {
      const bytes = whole ? MEGABYTE : PART_BYTES / 2
      const pair = { before: stored(repeat(text, bytes)), after: stored(repeat(`${text.trim()}x${text}`, bytes)) }
      const compared = await measured(compareSideBySide(isolation, pair))
      expect('rows' in compared || compared.problem !== undefined).toBe(true)
    },
  )
})

describe('Markdown that takes its parser more than linear time', () => {
  it.each([
    ['lists in lists', '+ '.repeat(8_192), /nested more than 30 deep/],
    ['quotes in quotes', '>'.repeat(8_192), /nested more than 30 deep/],
    ['lists that grow deeper line by line', stairs(40), /nested more than 30 deep/],
    ['lists in a list, over and over', '- a\n  - b\n'.repeat(4_000), /too dense/],
    ['headings underlined, line by line', 'a\n=\n'.repeat(4_000), /too dense/],
    ['headings underlined in a quote', '> a\n> =\n'.repeat(4_000), /too dense/],
    ['marks in one paragraph', '*a '.repeat(8_192), /too dense/],
  ])('is refused before it is parsed: %s', (_, text, reason) => {
    const started = process.cpuUsage()
    expect(() => readText(text)).toThrow(reason)
    const { user, system } = process.cpuUsage(started)
    expect(user + system).toBeLessThan(500_000)
  })

  it('is not meant by lists of ten levels, or by a list of 300 entries with entries of their own', () => {
    expect(readText(stairs(10)).blocks).toHaveLength(10)
    const entries = Array.from({ length: 300 }, (_, i) => `- Entry ${i}\n  - Its own entry ${i}`)
    expect(readText(entries.join('\n')).blocks).toHaveLength(600)
  })
})

describe('the page that once blocked everything', () => {
  it('is read, because characters that only look like Markdown are not Markdown', async () => {
    const text = `${TERMS.trim()}\n\n${'！［］（'.repeat(60)}\n\n${'＜＞'.repeat(60)}`
    const content = { bytes: Buffer.from(text), contentType: 'text/markdown', selectors: { select: [], remove: [] } }
    expect(await measured(readDocument(isolation, { content }))).toMatchObject({ markdown: text })
  })
})
