import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pageKey } from '../../../src/terms/replay/page-key-rules.ts'
import { sourceOf } from '../../../src/terms/replay/recorded-documents.ts'
import { replayPages } from '../../../src/terms/replay/replay-pages.ts'
import { selectorsFor } from '../../../src/terms/replay/selectors-for-rules.ts'
import { testDatabase } from '../../support/database.ts'
import { isolation } from '../../support/isolation.ts'
import { eventsOf } from '../ingest/pages.ts'
import { gitIn } from './git-repository.ts'

const CLAUSES = [
  'You may use the service for your own business, as long as you follow these terms and the policies that they name.',
  'We may change these terms. We will notify you 30 days before a change takes effect, by mail or on this page.',
  'Either party may end this agreement at any time, with a notice of 30 days in writing to the other party.',
]
const page = (clauses: string[], nonce: number) =>
  `<!doctype html><html><head><script nonce="n${nonce}">var build=${nonce}</script></head><body><main class="c${nonce}">
   <h1>Terms of Use</h1>${clauses.map((clause) => `<p>${clause}</p>`).join('')}</main></body></html>`
const CHANGED = CLAUSES.map((clause) => clause.replace('30 days before', '14 days before'))

/** Pages of one document: what was fetched on which day of January 2026. */
const FETCHED: [day: number, html: string][] = [
  [1, page(CLAUSES, 1)],
  [2, page(CLAUSES, 2)],
  [3, page(CHANGED, 3)],
  [4, page(CHANGED, 4)],
  [6, page(CHANGED, 6)],
]
const instantOf = (day: number) => `2026-01-0${day}T12:00:00Z`

describe('a replay of recorded pages', () => {
  const db = testDatabase()
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-pages-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const EXPECTED = { pages: 6, distinctPages: 2, extractedPages: 2, snapshots: 3, events: { 'tos.changed': 1 } }

  it('runs the commits of a Git history through the pipeline, each at its own instant', async () => {
    const git = gitIn(folder)
    git(instantOf(1), 'init', '-q')
    execFileSync('mkdir', ['-p', 'Sample Service/Rules'], { cwd: folder })
    await writeFile(join(folder, 'Sample Service/Rules/Spam.html'), page(CLAUSES, 1))
    for (const [day, html] of FETCHED) {
      await writeFile(join(folder, 'Sample Service/Terms of Use.html'), html)
      git(instantOf(day), 'add', '.')
      git(instantOf(day), 'commit', '-qm', 'Record\n\nX-source-document-location: https://example.com/terms')
    }
    const { outcomes, ...counts } = await replayPages({ sql: db.sql, isolation }, folder)
    expect(counts).toMatchObject(EXPECTED)
    expect(outcomes.events).toMatchObject([
      {
        document: 'sample-service-terms-of-use',
        seenAt: '2026-01-03T12:00:00.000Z',
        publishedAt: '2026-01-04T12:00:00.000Z',
      },
    ])
    const [event] = await eventsOf(db.sql, 'terms-of-use')
    expect(event).toMatchObject({ url: 'https://example.com/terms' })
  })
})

describe('the name of a recorded document', () => {
  it('is what comes after the service, also where a folder holds its parts', () => {
    expect(sourceOf('Acme/Rules/Spam').options).toMatchObject({
      provider: 'acme',
      document: 'rules-spam',
      title: 'Rules/Spam',
    })
  })

  const terms = 'Sample API/Terms of Service #legal-terms-sample-global-processor-terms'

  it('is short, and another one for each document, however long their names are and however late they differ', () => {
    expect(sourceOf('Sample API/Terms of Use').source).toBe('sample-api-terms-of-use')
    const names = [terms, `${terms}-europe`, `${terms}-world`].map((name) => sourceOf(name).source)
    expect(new Set(names).size).toBe(3)
    expect(sourceOf(terms).source).toBe(names[0])
  })
})

describe('the key of a recorded page', () => {
  const key = (html: string, hasSelectors = false) => pageKey(Buffer.from(html), hasSelectors)

  it('is the same for pages that differ in scripts, and in names where nothing is selected by them', () => {
    expect(key(page(CLAUSES, 1))).toBe(key(page(CLAUSES, 2)))
    expect(key(page(CLAUSES, 1), true)).not.toBe(key(page(CLAUSES, 2), true))
    expect(key(page(CLAUSES, 1))).not.toBe(key(page(CHANGED, 1)))
  })

  it('is another one where a part is hidden', () => {
    expect(key('<p hidden>A part</p>')).not.toBe(key('<p>A part</p>'))
  })

  it('is the bytes of a PDF', () => {
    expect(key('%PDF-1.4 <script>1</script>')).not.toBe(key('%PDF-1.4 <script>2</script>'))
  })
})

describe('the selectors of a recorded page', () => {
  const one = { select: ['main'], remove: [] }
  const other = { select: ['article'], remove: [] }

  it('are those declared for its address, else those that all documents of its site share', () => {
    const declared = [
      { url: 'https://www.example.com/terms', selectors: one },
      { url: 'https://example.com/privacy', selectors: one },
      { url: 'https://example.org/a', selectors: one },
      { url: 'https://example.org/b', selectors: other },
    ]
    expect(selectorsFor('https://example.com/terms/?hl=en', declared)).toEqual(one)
    expect(selectorsFor('https://example.com/cookies', declared)).toEqual(one)
    expect(selectorsFor('https://example.org/b', declared)).toEqual(other)
    expect(selectorsFor('https://example.org/c', declared)).toBeUndefined()
    expect(selectorsFor('https://example.net/c', declared)).toBeUndefined()
  })
})
