import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDocuments } from '../../src/collecting/check-documents.ts'
import { collectNamedSource } from '../../src/collecting/collect-named-sources.ts'
import { createCollecting } from '../../src/collecting/collecting.ts'
import { readConfig } from '../../src/lib/config.ts'
import { parseInstant } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { previewDocument } from '../../src/terms/read/preview-document.ts'
import { testDatabase } from '../support/database.ts'
import { isolation } from '../support/isolation.ts'
import { declareDocument } from './ingest/pages.ts'
import { sentences } from './texts.ts'

describe('checking the declared documents', () => {
  const db = testDatabase({ each: true })
  const safeFetch = createSafeFetch({ allowPrivate: true })
  let page = ''
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt' || request.url === '/gone') return void response.writeHead(404).end()
    if (request.url === '/same') return void response.writeHead(304).end()
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-check-'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  })
  afterAll(async () => {
    await safeFetch.close()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    await rm(folder, { recursive: true })
  })

  const html = (text: string) => `<main><h1>Terms</h1><p>${text.replaceAll('\n\n', '</p><p>')}</p></main>`
  const declared = async (select: string[], others: string[] = []) => {
    const { port } = server.address() as AddressInfo
    const documents = ['terms', ...others].map((document) => ({
      ...{ source: `live-${document}`, format: 'document', url: `http://127.0.0.1:${port}/${document}` },
      options: { provider: 'live', document, title: 'Terms', select },
    }))
    const sources = [{ source: 'prices', format: 'curated', url: join(folder, 'none.json') }, ...documents]
    await writeFile(join(folder, 'sources.json'), JSON.stringify({ sources }))
    const config = readConfig({ PRICETAPE_SOURCES: join(folder, 'sources.json') })
    const given = { sql: db.sql, config, log: createLog('silent'), isolation }
    return createCollecting(given, safeFetch.get, { spacingMs: 1 })
  }

  it('shows the selector, the word count, the first and last lines, and what would change', async () => {
    const collecting = await declared(['main'])
    page = html(sentences(30, 'rule'))
    await collectNamedSource(collecting, 'live-terms', parseInstant('2031-01-01T00:00:00Z')!)
    page = html(sentences(30, 'rule').replace('number 7', 'with number 7'))
    const [check] = await checkDocuments(collecting, 'live/terms')
    expect(check).toMatchObject({
      source: 'live-terms',
      select: ['main'],
      words: 30 * 14 + 1 + 1,
      firstLines: ['# Terms', expect.stringContaining('rule number 0'), expect.stringContaining('rule number 1')],
      change: { classification: 'minor', wordsAdded: 1, wordsRemoved: 0 },
    })
    expect(check!.lastLines!.at(-1)).toContain('rule number 29')
    const versions = await db.sql`select 1 from document_version`
    expect(versions).toHaveLength(1)
  })

  it('looks at every document or at one by either name, and says at once what it found', async () => {
    page = html(sentences(30, 'rule'))
    const collecting = await declared(['main'], ['gone', 'same'])
    const seen: string[] = []
    const found = await checkDocuments(collecting, undefined, ({ source }) => seen.push(source))
    expect(seen).toEqual(['live-terms', 'live-gone', 'live-same'])
    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[0-9]+\/(gone|same)$/)
    expect(found).toEqual([
      expect.objectContaining({ source: 'live-terms', words: 30 * 14 + 1 }),
      { source: 'live-gone', url, problem: expect.stringContaining('404') },
      { source: 'live-same', url, problem: 'It answered that nothing changed, though it was not asked.' },
    ])
    const named = async (name: string) => (await checkDocuments(collecting, name)).map(({ source }) => source)
    expect(await named('live-same')).toEqual(['live-same'])
    expect(await named('live/gone')).toEqual(['live-gone'])
    await expect(named('prices')).rejects.toThrow('No declared document is called prices.')
  })

  it('shows that a selector finds nothing, and that there is no such document', async () => {
    page = html(sentences(30, 'rule'))
    const [check] = await checkDocuments(await declared(['.legal-text']), undefined)
    expect(check).toMatchObject({ select: ['.legal-text'], problem: expect.stringContaining('none of its selectors') })
    await expect(checkDocuments(await declared([]), 'live/none')).rejects.toThrow('No declared document is called')
  })

  it('shows three lines from each end, cut at 120 characters, and what is wrong', async () => {
    const source = await declareDocument(db.sql, 'terms')
    const check = (text: string, contentType = 'text/markdown') =>
      previewDocument({ sql: db.sql, isolation }, source, { bytes: Buffer.from(text), contentType })
    const lines = (count: number) => Array.from({ length: count }, (_, i) => `Line ${i} of terms.`)
    const [first, last] = [lines(3), lines(8).slice(-3)]
    expect(await check(lines(8).join('\n\n'))).toMatchObject({ firstLines: first, lastLines: last, words: 32 })
    expect(await check(lines(5).join('\n\n'))).toMatchObject({ firstLines: first, lastLines: lines(5).slice(3) })
    expect(await check(lines(3).join('\n\n'))).toMatchObject({ firstLines: first, lastLines: [] })
    const long = `Terms ${'x'.repeat(200)}`
    expect(await check(long)).toMatchObject({ firstLines: [long.slice(0, 120)], words: 2 })
    expect(await check('')).toMatchObject({ firstLines: [], lastLines: [], words: 0 })
    expect(await check(sentences(30, 'rule'))).toMatchObject({ problem: undefined, change: undefined })
    expect(await check('# Log in\n\nEmail. Password. Forgot your password?')).toMatchObject({
      problem: 'It looks like: login page.',
    })
    expect(await check('PNG', 'image/png')).toEqual({ problem: 'it is image/png, which is not a document', select: [] })
  })

  it('proposes a selector where there is none, or it finds less', async () => {
    const source = await declareDocument(db.sql, 'terms')
    const page = `<main>${html(sentences(30, 'rule'))}<p class="end">${sentences(2, 'end')}</p></main>`
    const check = (select: string[]) =>
      previewDocument(
        { sql: db.sql, isolation },
        { ...source, options: { ...source.options, select } },
        { bytes: Buffer.from(page), contentType: 'text/html' },
      )
    expect(await check([])).toMatchObject({ proposed: expect.any(String) })
    expect(await check(['.end'])).toMatchObject({ worse: expect.stringContaining('it finds') })
    expect(await check(['main'])).not.toHaveProperty('worse')
  })
})
