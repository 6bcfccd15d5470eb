import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectNamedSource } from '../../../src/collecting/collect-named-sources.ts'
import { createCollecting } from '../../../src/collecting/collecting.ts'
import { readConfig } from '../../../src/lib/config.ts'
import { parseInstant } from '../../../src/lib/instant.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { extractText } from '../../../src/terms/extract/extract-text.ts'
import { replayTerms } from '../../../src/terms/replay/replay-terms.ts'
import { testDatabase } from '../../support/database.ts'
import { isolation } from '../../support/isolation.ts'
import { differenceOf } from '../compare/read.ts'
import { declareDocument, eventsOf, fetches } from '../ingest/pages.ts'
import { replaceIn, TERMS } from '../texts.ts'

/** Bytes that are not text a database can hold: a NUL, and half a surrogate pair as its three bytes in UTF-8. */
const NUL = Buffer.from([0])
const HALF_PAIR = Buffer.from([0xed, 0xa0, 0x80])
const withBytes = (text: string, word: string, bytes: Uint8Array) => {
  const at = text.indexOf(word)
  return Buffer.concat([Buffer.from(text.slice(0, at)), bytes, Buffer.from(text.slice(at))])
}
const damaged = (text: string) => {
  const utf8 = withBytes(text, 'You must be', NUL)
  return Buffer.concat([utf8, Buffer.from('\n\nThis is the end of it: '), NUL, Buffer.from('done.')])
}

const stored = async (sql: ReturnType<typeof testDatabase>['sql']): Promise<string> => {
  const rows = await sql<{ markdown: string }[]>`select markdown from document_version`
  return rows.map((row) => row.markdown).join('\n')
}

describe('a text with a NUL in it', () => {
  const db = testDatabase({ each: true })
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-unstorable-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('is recorded without it, and so is the event of its change', async () => {
    const at = fetches(db.sql, await declareDocument(db.sql, 'nul', {}, 300))
    expect(await at(0, damaged(TERMS))).toMatchObject({ outcome: 'first' })
    const changed = damaged(replaceIn(TERMS, '16 years', '18 years'))
    await at(1, changed)
    expect(await at(2, changed)).toMatchObject({ outcome: 'published' })
    expect(await stored(db.sql)).toContain('\n\ufffdYou must be at least 16 years')
    expect(JSON.stringify(await eventsOf(db.sql, 'nul'))).not.toMatch(/\\u0000/)
  })

  it('does not end a replay', async () => {
    await writeFile(join(folder, '0.md'), damaged(TERMS))
    await writeFile(join(folder, '1.md'), damaged(replaceIn(TERMS, '16 years', '18 years')))
    const manifest = [0, 1].map((i) => ({
      document: 'Nul/Terms',
      file: `${i}.md`,
      recordedAt: `2030-01-0${i + 1}T00:00:00Z`,
    }))
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest))
    const replayed = await replayTerms({ sql: db.sql, isolation }, folder)
    expect(replayed).toMatchObject({ snapshots: 2, events: { 'tos.changed': 1 } })
  })

  it('is collected from a server like any other', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/robots.txt') return void response.writeHead(404).end()
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end(withBytes(`<main><h1>Terms</h1><p>${TERMS}</p></main>`, 'You must be', NUL))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const options = { provider: 'live', document: 'terms', title: 'Terms' }
    const sources = [{ source: 'live-terms', format: 'document', url: `http://127.0.0.1:${port}/terms`, options }]
    await writeFile(join(folder, 'sources.json'), JSON.stringify({ sources }))
    const config = readConfig({ PRICETAPE_SOURCES: join(folder, 'sources.json') })
    const safeFetch = createSafeFetch({ allowPrivate: true })
    try {
      const given = { sql: db.sql, config, log: createLog('silent'), isolation }
      const collecting = createCollecting(given, safeFetch.get, { spacingMs: 1 })
      const now = parseInstant('2031-01-01T00:00:00Z')!
      expect(await collectNamedSource(collecting, 'live-terms', now)).toMatchObject({ outcome: 'changed' })
    } finally {
      await safeFetch.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
    expect(await stored(db.sql)).toContain('You must be at least')
  })
})

describe('a text with half a surrogate pair', () => {
  const db = testDatabase({ each: true })
  const extract = (bytes: Uint8Array, contentType: string) =>
    extractText({ bytes, contentType, selectors: { select: [], remove: [] } })

  it.each([
    ['in bytes that are not UTF-8', withBytes(TERMS, 'You must be', HALF_PAIR), 'text/markdown'],
    ['in UTF-16', Buffer.from(`\ufeff${TERMS}\ud800`, 'utf16le'), 'text/plain; charset=utf-16le'],
    ['as an entity', Buffer.from(`<main><p>${TERMS} &#xD800; &#0;</p></main>`), 'text/html'],
    [
      'in an address that is hidden',
      Buffer.from(`<main><p>${TERMS} <a data-cfemail="00006140622e63">x</a></p></main>`),
      'text/html',
    ],
  ])('is read without it: %s', async (_what, bytes, contentType) => {
    const { markdown } = await extract(bytes, contentType)
    expect(markdown).toContain('at least 16 years old')
    expect(markdown).not.toMatch(/\0|\p{Surrogate}/u)
  })

  it('is recorded, and so is the event of its change', async () => {
    const at = fetches(db.sql, await declareDocument(db.sql, 'half', {}, 300), 'text/plain; charset=utf-16le')
    const utf16 = (text: string) => Buffer.from(`\ufeff${text} It ends here \ud800.`, 'utf16le')
    expect(await at(0, utf16(TERMS))).toMatchObject({ outcome: 'first' })
    const changed = utf16(replaceIn(TERMS, '16 years', '18 years'))
    await at(1, changed)
    expect(await at(2, changed)).toMatchObject({ outcome: 'published' })
    expect(await stored(db.sql)).toContain('It ends here \ufffd.')
  })

  it('is not made by cutting an excerpt in the middle of a character', () => {
    const text = (word: string) => `${TERMS}\n\n${word} ${'😀'.repeat(3_000)}\n\n${'x'.repeat(397)}${word}😀😀`
    const difference = differenceOf(TERMS, text('one'))
    expect(JSON.stringify(difference)).not.toMatch(/\\ud[89a-f]/)
    expect(JSON.stringify(differenceOf(TERMS, text('ones')))).not.toMatch(/\\ud[89a-f]/)
  })
})
