import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { sourceCommand } from '../../src/cli/sources/source.ts'
import { termsCommand } from '../../src/cli/sources/terms.ts'
import { testDatabase } from '../support/database.ts'
import { declareDocument, fetches } from '../terms/ingest/pages.ts'
import { replaceIn, sentences, TERMS } from '../terms/texts.ts'

/** The commands as an operator types them, run in this process: starting one for each would take seconds. */
describe('operators’ commands on legal documents', () => {
  const db = testDatabase({ each: true })
  let [folder, first, second] = ['', '', '']
  const pages: Record<string, string> = {
    '/good': `<main><h1>Terms</h1><p>${sentences(30, 'rule').replaceAll('\n\n', '</p><p>')}</p></main>`,
    '/moved': '<article>These terms are in another part of the page now.</article>',
  }
  const server = createServer(({ url = '' }, response) => {
    const page = pages[url]
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page)
  })

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pricetape-terms-'))
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    const declared = (name: string) => ({
      source: `live-${name}`,
      format: 'document',
      url: `http://127.0.0.1:${port}/${name}`,
      options: { provider: 'live', document: name, title: 'Terms', select: ['main'] },
    })
    await writeFile(join(folder, 'sources.json'), JSON.stringify({ sources: ['good', 'moved'].map(declared) }))
    vi.stubEnv('PRICETAPE_DATA_DIR', folder)
    vi.stubEnv('PRICETAPE_SOURCES', join(folder, 'sources.json'))
    vi.stubEnv('PRICETAPE_ALLOW_PRIVATE_ENDPOINTS', 'true')
    vi.stubEnv('COLUMNS', '240')
  })
  beforeEach(async () => {
    vi.stubEnv('DATABASE_URL', db.url)
    const at = fetches(db.sql, await declareDocument(db.sql, 'terms'))
    const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
    first = (await at(0, TERMS)).versionId!
    await at(6, changed)
    second = (await at(31, changed)).versionId!
  })
  afterEach(() => {
    process.exitCode = undefined
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
    await rm(folder, { recursive: true })
  })

  async function run(command: Command, ...args: string[]): Promise<string> {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    try {
      await command.parseAsync(args, { from: 'user' })
      return write.mock.calls.map(([text]) => text).join('')
    } finally {
      write.mockRestore()
    }
  }
  const terms = (...args: string[]) => run(termsCommand(), ...args)

  it('`terms list` shows every document, and the versions of one', async () => {
    const [head, ...rows] = (await terms('list')).trim().split('\n')
    // Columns that are empty in every row are left out.
    expect(head).toMatch(/^DOCUMENT +VERSIONS +IN FORCE SINCE +TITLE$/)
    expect(rows).toEqual([expect.stringMatching(/^example\/terms +2 +2025-01-02 07:00 +Terms of Service$/)])
    const versions = (await terms('list', 'example/terms')).trim().split('\n')
    expect(versions.slice(1).map((line) => line.split(/ +/)[0])).toEqual([second, first])
    await expect(terms('list', 'example/none')).rejects.toThrow('There is no version of example/none')
  })

  it('`terms show` shows the text in force, or of any version', async () => {
    const current = await terms('show', 'example/terms')
    expect(current).toMatch(/^Terms of Service of example: https:\/\/example\.com\/legal\/terms\n/)
    expect(current).toContain('14 days notice')
    expect(JSON.parse(await terms('show', first, '--json'))).toMatchObject({ versionId: first, markdown: TERMS.trim() })
    await expect(terms('show', 'example')).rejects.toThrow('write PROVIDER/DOCUMENT')
  })

  it('`terms diff` shows the last change of a document, or between any two versions', async () => {
    const last = await terms('diff', 'example/terms')
    expect(last).toContain('Payment')
    expect(last).toMatch(/^-.*30 days notice/m)
    expect(last).toMatch(/^\+.*14 days notice/m)
    const back = JSON.parse(await terms('diff', second, first, '--json'))
    expect(back.difference.diff).toMatch(/^\+.*30 days notice/m)
    await expect(terms('diff', first)).rejects.toThrow('is the first version of example/terms')
  })

  it('`terms check` shows what the selectors find, fails where they find nothing, and records nothing', async () => {
    const said = await terms('check', 'live/good')
    expect(said).toContain('found by main')
    expect(said).toMatch(/^ {2}\d+ words/m)
    expect(said).toContain('  | # Terms')
    expect(said).toContain('rule number 29')
    expect(said).toContain('1 document checked, 0 with a problem.')
    expect(process.exitCode).toBeUndefined()
    const all = await terms('check')
    expect(all).toContain('PROBLEM none of its selectors finds anything: main')
    expect(all).toContain('2 documents checked, 1 with a problem.')
    expect(process.exitCode).toBe(1)
    expect(await db.sql`select 1 from document_version`).toHaveLength(2)
  })

  it('`source list` shows the problem of a declaration that fails', async () => {
    await run(sourceCommand(), 'collect', 'live-moved')
    expect(process.exitCode).toBe(1)
    const listed = await run(sourceCommand(), 'list')
    expect(listed).toMatch(/^live-moved +failed/m)
    expect(listed).toMatch(/^ *live-moved: .*none of its selectors finds anything: main/m)
  })
})
