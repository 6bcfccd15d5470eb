import { availableParallelism, loadavg } from 'node:os'
import { describe, expect, it } from 'vitest'
import { compareSideBySide, readDocument } from '../../src/terms/read/read-document.ts'
import { isolation } from './pages.ts'
import { TERMS } from './texts.ts'

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
 * Repeated to a whole megabyte in every run. The others fill a quarter of it, which still shows a reader that takes more
 * than linear time; PRICETAPE_TEST_HOSTILE=whole repeats all of them to a megabyte.
 */
const ALWAYS_WHOLE = new Set([
  'a',
  '[',
  '](',
  '![',
  '<',
  '<!--',
  '*a',
  '`',
  '|',
  '@',
  '$1',
  'a\n\n',
  '- a\n',
  '\\',
  '！［］（',
  '＜＞',
  '我',
])
const whole = process.env.PRICETAPE_TEST_HOSTILE === 'whole'

function repeat(text: string): string {
  const bytes = whole || ALWAYS_WHOLE.has(text) ? MEGABYTE : MEGABYTE / 4
  return text.repeat(Math.ceil(bytes / Buffer.byteLength(text)))
}

/** How many tasks want a processor while this test runs alone. */
const LOAD_AT_REST = 1

/** Five seconds on a machine at rest. A reading process has low priority: other work goes first and delays it twice. */
function allowedMs(): number {
  const load = loadavg()[0]!
  return load <= LOAD_AT_REST ? LIMIT_MS : LIMIT_MS * Math.max(1, (2 * load) / availableParallelism())
}

async function measured<T>(work: Promise<T>): Promise<T> {
  const started = performance.now()
  const result = await work
  expect(performance.now() - started).toBeLessThan(allowedMs())
  return result
}

const READ_OR_REJECTED = expect.toSatisfy(
  (result: object) => 'markdown' in result || (result as { problem?: string }).problem !== undefined,
)

const stored = (markdown: string) => ({ markdown, leftOut: [] })

describe('a page of up to a megabyte that repeats a text', () => {
  const selectors = { select: [], remove: [] }
  const read = (text: string, contentType: string) =>
    readDocument(isolation, { content: { bytes: Buffer.from(text), contentType, selectors }, current: stored(TERMS) })

  it.each(REPEATED)('is read or rejected within five seconds as Markdown: %j', { timeout: 240_000 }, async (text) => {
    expect(await measured(read(repeat(text), 'text/markdown'))).toEqual(READ_OR_REJECTED)
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
  ])('is read or rejected within five seconds as HTML: %j', { timeout: 240_000 }, async (text) => {
    const page = `<html><body><main><h1>Terms</h1>${repeat(text)}</main></body></html>`
    expect(await measured(read(page, 'text/html'))).toEqual(READ_OR_REJECTED)
  })

  it.each(['a ', '1. a\n', '- a\n', 'a\n\n', '我', 'A b. ', '| a |\n'])(
    'is compared with a text like it within five seconds: %j',
    { timeout: 240_000 },
    async (text) => {
      const pair = { before: stored(repeat(text)), after: stored(repeat(`${text.trim()}x${text}`)) }
      const compared = await measured(compareSideBySide(isolation, pair))
      expect('rows' in compared || compared.problem !== undefined).toBe(true)
    },
  )
})

describe('the page that once blocked everything', () => {
  it('is read, because characters that only look like Markdown are no Markdown', { timeout: 60_000 }, async () => {
    const text = `${TERMS.trim()}\n\n${'！［］（'.repeat(60)}\n\n${'＜＞'.repeat(60)}`
    const content = { bytes: Buffer.from(text), contentType: 'text/markdown', selectors: { select: [], remove: [] } }
    expect(await measured(readDocument(isolation, { content }))).toMatchObject({ markdown: text })
  })
})
