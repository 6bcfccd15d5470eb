import { describe, expect, it } from 'vitest'
import { recentFetches } from '../../../src/catalog/sources/source-store.ts'
import { MINUTE, plus } from '../../../src/lib/instant.ts'
import { type Answer, listSource, name, sends, start } from './list-source.ts'

const list = listSource()
const { collect, requests, system, database } = list

describe('a legal document', () => {
  const paragraph = 'These terms govern how you may use the service of Acme, and what Acme may do with what you send. '
  const page = (text: string) =>
    `<!doctype html><html><head><title>Terms</title></head><body><main><h1>Terms of service</h1>${`<p>${text}</p>`.repeat(12)}</main></body></html>`
  const document = () => ({
    source: name,
    format: 'document',
    url: `${system.base}/${name}/terms`,
    options: { provider: 'list-acme', document: 'terms-of-service', title: 'Terms of service' },
  })
  const host = (robots: string, terms: Answer): Answer => {
    return (request, response) =>
      request.url === '/robots.txt' ? void response.writeHead(200).end(robots) : terms(request, response)
  }

  it('is judged by the room of terms, and a 304 counts as another fetch of it', async () => {
    list.collecting = system.declare([document()])
    list.answer = host('', sends(page(paragraph), { 'content-type': 'text/html', etag: '"t1"' }))
    expect(await collect()).toMatchObject({ outcome: 'changed', from: 'url' })
    const [first] = await recentFetches(database.sql, name)
    expect(first).toMatchObject({ report: { outcome: 'first' } })
    list.answer = host('', (request, response) => {
      expect(request.headers['if-none-match']).toBe('"t1"')
      response.writeHead(304).end()
    })
    expect(await collect(plus(start, 60 * MINUTE))).toMatchObject({ outcome: 'unchanged', from: 'stored' })
  })

  it('is not fetched where robots.txt says so, and its operator reads why', async () => {
    // Another name of this machine, so that what robots.txt said to the test above is not remembered.
    list.collecting = system.declare([
      { ...document(), url: `${system.base.replace('127.0.0.1', 'localhost')}/${name}/terms` },
    ])
    list.answer = host('User-agent: *\nDisallow: /', sends(page(paragraph)))
    expect(await collect()).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(/asks robots not to read/),
    })
    expect(requests.map(({ url }) => url)).toEqual(['/robots.txt'])
  })
})
