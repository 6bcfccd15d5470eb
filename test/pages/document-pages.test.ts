import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { ask, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { declareDocument, eventsOf, fetches } from '../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../terms/texts.ts'

const CHANGED = replaceIn(TERMS, '30 days notice', '14 days notice')
const WAITING = replaceIn(CHANGED, '16 years', '18 years')

describe('the page of a document', () => {
  const db = testDatabase()
  let server: Api
  let [first, second] = ['', '']
  /** A machine that is too busy to compare within 20 seconds says when to come again. */
  const get = async (path: string, headers: Record<string, string> = {}) => {
    for (;;) {
      const answer = await ask(server, path, headers)
      if (answer.status !== 503) return answer
      await sleep(Number(answer.headers['retry-after']) * 1_000)
    }
  }

  beforeAll(async () => {
    server = await testServer(db.sql, { PRICETAPE_PUBLIC_PAGES: 'true' })
    ;[first, second] = await publish(db.sql)
  })
  afterAll(() => server.close())

  it('shows the last change side by side, with its headings, clauses, words, times and the fetched text', async () => {
    const { status, headers, text } = await get('/documents/example/terms')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('<html lang="en">')
    await expect(mainOf(text, { [first]: 'FIRST', [second]: 'SECOND' })).toMatchFileSnapshot(
      'document-page.golden.html',
    )
  })

  it('opens at the differenceUrl of the event, without a key', async () => {
    const [event] = await eventsOf(db.sql, 'terms')
    const url = String(event!.differenceUrl)
    expect(url).toBe(`https://pricetape.example/documents/example/terms?from=${first}&to=${second}`)
    const { text } = await get(url.replace('https://pricetape.example', ''))
    await expect(mainOf(text, { [first]: 'FIRST', [second]: 'SECOND' })).toMatchFileSnapshot(
      'document-page.golden.html',
    )
  })

  it('allows no script, no frame and nothing from elsewhere', async () => {
    const { headers, text } = await get('/documents/example/terms')
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      ),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(text).not.toMatch(/<script|\son\w+=|style=/)
  })

  it('shows any two versions, in either order, and the first one alone', async () => {
    const back = (await get(`/documents/example/terms?from=${second}&to=${first}`)).text
    expect(back).toContain('<del>14</del> days')
    expect(back).toContain('<ins>30</ins> days')
    const alone = (await get(`/documents/example/terms?to=${first}`)).text
    expect(alone).toContain('<h2 id="text">The text</h2>')
    expect(alone).toContain('30 days notice')
    expect((await get(`/documents/example/terms?from=${first}&to=${first}`)).text).toContain(
      'Both versions say the same',
    )
  })

  it('shows any version alone, with a table of contents, its clauses linked and its address to cite', async () => {
    const { text } = await get(`/documents/example/terms?to=${second}&view=text`)
    expect(text).toContain('14 days notice')
    expect(text).not.toMatch(/<del>|<ins>/)
    const path = `/documents/example/terms?to=${second}&amp;view=text`
    expect(text).toMatch(
      new RegExp(`as recorded \\d{4}-[\\d-]+T[\\d:.]+Z, <a href="https?://[^"]+${path.replaceAll('?', '\\?')}">`),
    )
    expect(text).toMatch(new RegExp(`<meta property="og:url" content="https?://[^"]+${path.replaceAll('?', '\\?')}">`))
    const listed = [...text.matchAll(/<li class="level-\d"><a href="#([^"]+)">/g)].map(([, id]) => id!)
    expect(listed.length).toBeGreaterThanOrEqual(5)
    for (const id of listed) expect(text.split(` id="${id}"`)).toHaveLength(2)
    const difference = (await get(`/documents/example/terms?from=${first}&to=${second}`)).text
    for (const [, id] of text.matchAll(/class="place" id="([^"]+)"/g)) expect(difference).toContain(` id="${id}"`)
    for (const page of [text, difference]) {
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it('is not sent again to a client that has it', async () => {
    const { headers } = await get('/documents/example/terms')
    // Signed-in users get another page under this address.
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding, cookie' })
    const again = await get('/documents/example/terms', { 'if-none-match': String(headers.etag) })
    expect([again.status, again.text]).toEqual([304, ''])
  })

  it.each([
    ['an unknown document', () => '/documents/example/none'],
    ['an unknown provider', () => '/documents/nobody/terms'],
    ['a version of no document', () => `/documents/example/terms?to=${first.replace(/^....../, '000000')}`],
    ['a version that waits', () => `/documents/example/terms?to=${waiting}`],
    ['another view', () => `/documents/example/terms?to=${first}&view=all`],
    ['a version that is not an id', () => '/documents/example/terms?from=1&to=2'],
    ['two values for one version', () => `/documents/example/terms?to=${first}&to=${second}`],
    ['hostile names', () => `/documents/${encodeURIComponent('<script>alert(1)</script>')}/%00`],
  ])('is 404 as a page for %s', async (_what, path) => {
    const { status, headers, text } = await get(path())
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(text).toContain('<h1>Not found</h1>')
    expect(text).not.toContain('<script')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('says that it cannot be shown where that is our fault, and nothing of why', async () => {
    await db.sql`alter table document rename to nowhere`
    const { status, text, headers } = await get('/documents/example/terms').finally(
      () => db.sql`alter table nowhere rename to document`,
    )
    expect([status, headers['cache-control']]).toEqual([500, 'no-store'])
    expect(text).toContain('<h1>This page cannot be shown</h1>')
    expect(text).toContain(`quote request ${headers['request-id']}.`)
    expect(text).not.toContain('relation')
  })

  it('shows hostile texts, titles and addresses as text', async () => {
    const hostile = `<script>alert("x")</script> & 'quoted' \u202egnp.exe`
    const title = `Terms "><img src=x onerror=alert(1)>`
    const at = fetches(db.sql, await declareDocument(db.sql, 'hostile', { title }), 'text/plain')
    await at(100, TERMS.replace('## 3. Payment', `## 3. ${hostile.replaceAll('<', '\\<')}`))
    await db.sql`update document set url = 'javascript:alert(1)' where document = 'hostile'`
    const { status, text } = await get('/documents/example/hostile')
    expect(status).toBe(200)
    expect(text).toContain('Terms &quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;quoted&#39;')
    expect(text).not.toMatch(/<script|<img src=x|href="javascript/)
  })

  it('asks a visitor who loads too many pages to wait', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => server.inject({ url: '/documents/example/none', remoteAddress: '192.0.2.7' })),
    )
    const refused = answers.filter(({ statusCode }) => statusCode === 429)
    expect(refused.length).toBeGreaterThanOrEqual(9)
    expect(refused[0]!.headers['retry-after']).toBe('1')
    expect(refused[0]!.body).toContain('<h1>Too many requests</h1>')
  })

  it('is not there unless the setting makes pages public, and is not part of the API', async () => {
    const closed = await testServer(db.sql)
    const { status, json } = await ask(closed, '/documents/example/terms')
    expect([status, json]).toEqual([404, { error: { code: 'not_found', message: expect.any(String) } }])
    await closed.close()
    expect((await get('/openapi.json')).text).not.toContain('/documents/')
  })

  let waiting = ''
  /** Publishes two versions, with an event that links to their difference, and lets a third wait. */
  async function publish(sql: Sql): Promise<[string, string]> {
    const source = await declareDocument(sql, 'terms')
    const at = fetches(sql, source, 'text/markdown', 'https://pricetape.example')
    const one = await at(0, TERMS)
    await at(6, CHANGED)
    const two = await at(31, CHANGED)
    waiting = (await at(40, WAITING)).versionId!
    return [one.versionId!, two.versionId!]
  }
})

/** The content of a page, with names for the ids of versions and without the milliseconds that a test varies. */
function mainOf(page: string, names: Record<string, string>): string {
  const main = /<main[^>]*>(.*)<\/main>/s.exec(page)![1]!
  return Object.entries(names)
    .reduce((text, [id, name]) => text.replaceAll(id, name), main)
    .replace(/\.\d{3}Z/g, '.000Z')
    .replaceAll('><', '>\n<')
    .trim()
}
