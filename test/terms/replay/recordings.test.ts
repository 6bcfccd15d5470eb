import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { extractPages } from '../../../src/terms/replay/extract-pages.ts'
import { Outcomes } from '../../../src/terms/replay/outcomes.ts'
import { readRecording, readRecordings, sourceOf } from '../../../src/terms/replay/recorded-documents.ts'
import { readDeclared, recordedPages } from '../../../src/terms/replay/recorded-pages.ts'
import type { DocumentReport } from '../../../src/terms/schema.ts'
import { isolation } from '../../support/isolation.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pricetape-recordings-'))
})
afterAll(() => rm(folder, { recursive: true }))
const write = (name: string, content: unknown) =>
  writeFile(join(folder, name), content instanceof Uint8Array ? content : JSON.stringify(content))

const listFour = () =>
  write('manifest.json', [
    { file: 'c.md', document: 'Acme/Privacy', recordedAt: '2026-01-03T00:00:00Z' },
    { file: 'Terms/z.md', committedAt: '2026-01-01T00:00:00Z', url: 'https://acme.example/terms' },
    { file: 'Terms/a.md', recordedAt: '2026-01-01T00:00:00Z', committedAt: '2026-01-09T00:00:00Z' },
    { file: 'Terms/y.md', recordedAt: '2026-01-02T00:00:00Z' },
  ])

describe('recorded texts of a folder', () => {
  it('are in the order of their instants, then of the list, each of the document that it names or lies in', async () => {
    await listFour()
    const texts = await readRecordings(folder)
    expect(texts.map(({ file, source, at, url }) => [file, source.source, at.slice(0, 10), url])).toEqual([
      ['Terms/z.md', 'terms', '2026-01-01', 'https://acme.example/terms'],
      ['Terms/a.md', 'terms', '2026-01-01', undefined],
      ['Terms/y.md', 'terms', '2026-01-02', undefined],
      ['c.md', 'acme-privacy', '2026-01-03', undefined],
    ])
    expect(sourceOf('Acme/Privacy').options).toEqual({
      ...{ provider: 'acme', providerName: 'Acme', document: 'privacy', title: 'Privacy' },
    })
  })

  it('are chosen by name and by when they were fetched, from an instant until before another', async () => {
    await listFour()
    const chosen = async (filter: Parameters<typeof recordedPages>[1]) => {
      using found = await recordedPages(folder, filter)
      return found.pages.map(({ file }) => file)
    }
    const [second, third] = ['2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z'] as Instant[]
    expect(await chosen({})).toEqual(['Terms/z.md', 'Terms/a.md', 'Terms/y.md', 'c.md'])
    expect(await chosen({ since: second })).toEqual(['Terms/y.md', 'c.md'])
    expect(await chosen({ until: third })).toEqual(['Terms/z.md', 'Terms/a.md', 'Terms/y.md'])
    expect(await chosen({ since: second, until: third })).toEqual(['Terms/y.md'])
    expect(await chosen({ documents: /z\.md/ })).toEqual(['Terms/z.md'])
    expect(await chosen({ documents: /^acme-/ })).toEqual(['c.md'])
    await expect(chosen({ documents: /none/ })).rejects.toThrow('There are no such pages')
  })

  it('are read as they lie there, unpacked', async () => {
    await write('a.html.gz', gzipSync('<p>packed</p>'))
    await write('b.txt', Buffer.from('plain'))
    const read = async (file: string) => {
      const { bytes, contentType } = await readRecording(folder, file)
      return [Buffer.from(bytes).toString(), contentType]
    }
    expect(await read('a.html.gz')).toEqual(['<p>packed</p>', 'text/html'])
    expect(await read('b.txt')).toEqual(['plain', 'text/plain'])
  })

  it('are read with the selectors of a list of sources, alone or within its file', async () => {
    const declared = [{ source: 'a', format: 'document', url: 'https://acme.example/', options: { select: ['main'] } }]
    const expected = [{ url: 'https://acme.example/', selectors: { select: ['main'], remove: [] } }]
    await write('list.json', declared)
    await write('file.json', { sources: declared })
    expect([await readDeclared(join(folder, 'list.json')), await readDeclared(join(folder, 'file.json'))]).toEqual([
      expected,
      expected,
    ])
  })

  it('are refused where declarations cannot be read, or are wrong', async () => {
    const refusal = (name: string) => readDeclared(join(folder, name)).catch((error: Error) => error.message)
    expect(await refusal('absent.json')).toMatch(/^The declarations in .*absent\.json cannot be read: ENOENT/)
    await write('cut.json', Buffer.from('[{'))
    expect(await refusal('cut.json')).toMatch(/^The declarations in .*cut\.json cannot be read: /)
    await write('wrong.json', [{ source: 'Not A Slug', format: 'document', options: {} }])
    expect(await refusal('wrong.json')).toMatch(/need fixing:\n {2}sources\.0\.source: must be lower-case letters/)
  })

  it('are refused where the list is missing, is none, or has no instants', async () => {
    await expect(readRecordings(join(folder, 'none'))).rejects.toThrow('There is no manifest.json')
    await write('manifest.json', {})
    await expect(readRecordings(folder)).rejects.toThrow('is not a list of snapshots')
    await write('manifest.json', [{ file: 'a.md' }])
    await expect(readRecordings(folder)).rejects.toThrow('has no recordedAt or committedAt')
  })
})

describe('pages that are read', () => {
  it('are one while they say the same, in each document, and are kept in the folder that is named', async () => {
    const page = (text: string) =>
      `<html><body><main><h1>Terms</h1>${`<p>${text} and so on for long.</p>`.repeat(20)}</main></body></html>`
    const at = (n: number) => plus(AT, n * DAY)
    const pages = [
      ['one', page('first')],
      ['two', page('first')],
      ['one', `${page('first')}<script>1</script>`],
      ['one', page('second')],
      ['one', page('first')],
    ].map(([name, html], seq) => ({
      source: { ...sourceOf(name!), url: 'https://acme.example/terms' },
      file: name!,
      at: at(seq),
      seq,
      read: async () => ({ bytes: Buffer.from(html!), contentType: 'text/html' }),
    }))
    const cache = join(folder, 'cache/texts')
    const first = await extractPages(pages, { isolation, cache })
    expect(first.read.map(({ file, seq, pages: count }) => [file, seq, count])).toEqual([
      ['one', 0, 2],
      ['two', 1, 1],
      ['one', 3, 1],
      ['one', 4, 1],
    ])
    expect(first).toMatchObject({ pages: 5, distinct: 2, extracted: 2 })
    const again = await extractPages(pages, { isolation, cache })
    expect(again.extracted).toBe(0)
    expect(again.read).toEqual(first.read.map((one) => ({ ...one, read: expect.any(Function) })))
    const progress: number[][] = []
    const many = Array.from({ length: 500 }, () => pages[0]!)
    await extractPages(many, { isolation, cache, onProgress: (...counts) => progress.push(counts) })
    expect(progress).toEqual([[500, 0]])
  })
})

describe('what came of a replay', () => {
  const outcomes = () => {
    const all = new Outcomes()
    const add = (day: number, report: Partial<DocumentReport>, more: { markdown?: string; refetch?: boolean } = {}) =>
      all.add({
        ...{ source: 'terms', at: plus(AT, day * DAY), refetch: false, markdown: 'one two three' },
        ...{ report: report as DocumentReport, ...more },
      })
    return { all, add }
  }

  it('has an event from when its text was first seen, and what was held', () => {
    const { all, add } = outcomes()
    add(0, { outcome: 'first', versionId: 'v1' })
    add(1, { outcome: 'unchanged', waits: 'v2' })
    add(2, { outcome: 'held', reason: 'looks short', versionId: 'v3' })
    add(2, { outcome: 'held', reason: 'waits for review', versionId: 'v3' })
    add(4, { outcome: 'published', versionId: 'v2', classification: 'minor' })
    expect(all.events).toEqual([
      {
        ...{ document: 'terms', seenAt: plus(AT, DAY), publishedAt: plus(AT, 4 * DAY) },
        ...{ versionId: 'v2', classification: 'minor' },
      },
    ])
    expect(all.held).toEqual([{ document: 'terms', at: plus(AT, 2 * DAY), because: 'looks short' }])
  })

  it('has texts with other words that made no event, once each', () => {
    const { all, add } = outcomes()
    add(0, { outcome: 'first', versionId: 'v1' }, { markdown: 'You may use the service today.' })
    const other = { markdown: 'You may use the service tomorrow.' }
    add(1, { outcome: 'unchanged' }, { markdown: 'You may use the service today.' })
    add(2, { outcome: 'cosmetic' }, { ...other, refetch: true })
    expect(all.suppressed).toEqual([])
    add(3, { outcome: 'cosmetic', reason: 'spelling' }, other)
    add(4, { outcome: 'unchanged' }, other)
    add(5, { outcome: 'unchanged', reason: 'same words' }, { markdown: 'You may use the service never.' })
    expect(all.suppressed).toMatchObject([
      { document: 'terms', at: plus(AT, 3 * DAY), because: 'spelling' },
      { document: 'terms', at: plus(AT, 5 * DAY), because: 'same words' },
    ])
    expect(all.suppressed[0]!.difference).toContain('tomorrow')
  })

  it('has the days in a row on which a document could not be read, also those at the end', () => {
    const { all, add } = outcomes()
    add(0, { outcome: 'first', versionId: 'v1' })
    add(1, { outcome: 'quarantined', reason: 'a login page' })
    add(2, { outcome: 'quarantined', reason: 'another reason' })
    add(4, { outcome: 'unchanged' })
    add(5, { outcome: 'unchanged' })
    add(6, { outcome: 'quarantined', reason: 'empty' })
    expect(all.blind).toEqual([{ document: 'terms', since: plus(AT, DAY), days: 3, because: 'a login page' }])
    all.end(plus(AT, 8 * DAY)).end(plus(AT, 9 * DAY))
    expect(all.blind.slice(1)).toEqual([{ document: 'terms', since: plus(AT, 6 * DAY), days: 2, because: 'empty' }])
  })
})
