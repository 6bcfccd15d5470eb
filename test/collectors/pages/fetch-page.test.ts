import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { fetchSource } from '../../../src/collectors/fetch/fetch-source.ts'
import { createSafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { isolation } from '../../support/isolation.ts'
import { newest } from './samples.ts'

const asked: { path: string; headers: IncomingHttpHeaders }[] = []
const server = createServer((request, response) => {
  asked.push({ path: request.url!, headers: request.headers })
  const robots = request.url === '/robots.txt'
  response.writeHead(200, { 'content-type': robots ? 'text/plain' : 'text/markdown' })
  response.end(robots ? 'User-agent: *\nDisallow: /private/\n' : newest('anthropic-page'))
})
const safeFetch = createSafeFetch({ allowPrivate: true })
beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)))
afterAll(async () => {
  await safeFetch.close()
  await new Promise((done) => server.close(done))
})

const read = (path: string, format: string) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
  const source = sourceDeclaration.parse({ source: 'page', format, url })
  const tools = { get: safeFetch.get, isolation, offline: false, folder: '.', spacingMs: 0 }
  return fetchSource(tools, source, { neverRead: true, timeoutMs: 10_000 })
}

describe('a maker’s page of prices', () => {
  it('is asked for in English, under our own name', async () => {
    expect(await read('/pricing.md', 'anthropic-page')).toMatchObject({ kind: 'bytes', from: 'url' })
    expect(asked.at(-1)).toMatchObject({
      path: '/pricing.md',
      headers: { 'accept-language': 'en', 'user-agent': expect.stringMatching(/^pricetape\//) },
    })
  })

  it('is not asked for where robots.txt forbids it; a list made for machines is', async () => {
    expect(await read('/private/pricing.md', 'anthropic-page')).toMatchObject({
      kind: 'failed',
      problem: expect.stringContaining('asks robots not to read'),
    })
    expect(asked.map(({ path }) => path)).not.toContain('/private/pricing.md')
    expect(await read('/private/list.json', 'litellm')).toMatchObject({ kind: 'bytes' })
    expect(asked.at(-1)!.headers['accept-language']).toBeUndefined()
  })
})
