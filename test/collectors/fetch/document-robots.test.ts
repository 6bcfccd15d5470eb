import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createRobotsRule } from '../../../src/collectors/fetch/robots.ts'
import { HOUR } from '../../../src/lib/instant.ts'
import { createSafeFetch, type GetOutcome, type SafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { isolation } from '../../support/isolation.ts'

/** A host's answers for robots.txt, one after another, and how often it was asked. */
function host(...answers: (GetOutcome | { status: number; text?: string })[]) {
  const asked: string[] = []
  const get = async (url: string): Promise<GetOutcome> => {
    const answer = answers[Math.min(asked.push(url), answers.length) - 1]!
    if ('kind' in answer) return answer
    const bytes = Buffer.from(answer.text ?? '')
    return { kind: 'answer', status: answer.status, headers: {}, bytes, url, durationMs: 1 }
  }
  return { get, isolation, asked }
}

const closing = (safeFetch: SafeFetch) => ({ ...safeFetch, [Symbol.asyncDispose]: () => safeFetch.close() })

const PAGE = 'https://example.com/legal/terms'
const RULES = 'User-agent: *\nDisallow: /private/\n\nUser-agent: pricetape\nDisallow: /legal/archive/\n'

describe('the wish of a page’s owner', () => {
  it('is asked once for all pages of a host and kept for a day', async () => {
    const tools = host({ status: 200, text: RULES })
    let now = 0
    const refused = createRobotsRule(tools, () => now)
    expect(await refused(PAGE)).toBeUndefined()
    expect(await refused('https://example.com/legal/archive/1')).toMatchObject({
      problem: expect.stringContaining('asks robots not to read'),
    })
    expect(await refused('https://example.com/private/x')).toBeUndefined()
    expect(tools.asked).toEqual(['https://example.com/robots.txt'])
    now = 24 * HOUR - 1
    await refused(PAGE)
    expect(tools.asked).toHaveLength(1)
    now = 24 * HOUR
    await Promise.all([refused(PAGE), refused('https://example.com/legal/privacy')])
    expect(tools.asked).toHaveLength(2)
  })

  it('is asked of each host, and of each port of it', async () => {
    const tools = host({ status: 200, text: RULES })
    const refused = createRobotsRule(tools)
    for (const origin of ['https://example.com', 'https://other.example', 'http://example.com:8080'])
      expect(await refused(`${origin}/legal/archive/1`)).toMatchObject({
        problem: `${origin}/robots.txt asks robots not to read ${origin}/legal/archive/1.`,
      })
    expect(tools.asked).toHaveLength(3)
  })

  it('is not a wish where there is no robots.txt, or where it is refused, for a day', async () => {
    for (const status of [404, 401, 403, 410, 429, 499]) {
      const tools = host({ status, text: 'User-agent: *\nDisallow: /' })
      let now = 0
      const refused = createRobotsRule(tools, () => now)
      expect(await refused(PAGE), String(status)).toBeUndefined()
      now = 24 * HOUR - 1
      expect(await refused(PAGE)).toBeUndefined()
      expect(tools.asked).toHaveLength(1)
    }
    expect(await createRobotsRule(host({ status: 500 }))(PAGE)).toMatchObject({ unreachable: false })
  })

  it('is respected while it cannot be known, and asked again within the hour', async () => {
    const tools = host({ status: 503 }, { status: 200, text: RULES })
    let now = 0
    const refused = createRobotsRule(tools, () => now)
    expect(await refused(PAGE)).toEqual({
      problem: 'https://example.com/robots.txt could not be read, so nothing of https://example.com is.',
      unreachable: false,
    })
    now = HOUR - 1
    expect(await refused(PAGE)).toBeDefined()
    expect(tools.asked).toHaveLength(1)
    now = HOUR
    expect(await refused(PAGE)).toBeUndefined()
    expect(tools.asked).toHaveLength(2)
  })

  it('is read in the first 500 KiB of a larger file, whose last line is not cut in half', async () => {
    const head = 'User-agent: *\nDisallow: /private/\n'
    const size = 500 * 1024
    const filler = '#'.repeat(size - head.length - 'Disallow: /'.length - 1)
    const text = `${head}${filler}\nDisallow: /archive/\nDisallow: /legal/\n${'# more\n'.repeat(100_000)}`
    const refused = createRobotsRule(host({ status: 200, text }))
    expect(await refused(PAGE)).toBeUndefined()
    expect(await refused('https://example.com/private/x')).toMatchObject({
      problem: expect.stringContaining('asks robots not to read'),
    })
  })

  it('is read in the first part of a file that is longer than anything we download, or never ends', async () => {
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
      const packed = createGzip()
      packed.pipe(response)
      packed.write('User-agent: *\nDisallow: /private/\n')
      packed.write(Buffer.alloc(9 * 1024 * 1024, '# more\n'))
      if (request.headers.host?.startsWith('localhost')) packed.flush()
      else packed.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    await using safeFetch = closing(createSafeFetch({ allowPrivate: true }))
    const { port } = server.address() as AddressInfo
    const refused = createRobotsRule({ get: safeFetch.get, isolation })
    for (const host of ['127.0.0.1', 'localhost']) {
      expect(await refused(`http://${host}:${port}/legal/terms`)).toBeUndefined()
      expect(await refused(`http://${host}:${port}/private/x`)).toMatchObject({
        problem: expect.stringContaining('asks robots not to read'),
      })
    }
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  })

  it('cannot be known without a connection, and that is said apart: it may be this machine’s', async () => {
    const away = createRobotsRule(
      host({ kind: 'failed', reason: 'dns_not_found', message: 'no such host', durationMs: 1 }),
    )
    expect(await away(PAGE)).toMatchObject({ unreachable: true })
    const offline = createRobotsRule(host({ kind: 'platform', message: 'no resolver', offline: true }))
    expect(await offline(PAGE)).toMatchObject({ unreachable: true })
  })

  it('is not inferred where the fault is ours', async () => {
    const tools = host({ kind: 'platform', message: 'no resolver' }, { status: 200, text: RULES })
    let now = 0
    const refused = createRobotsRule(tools, () => now)
    expect(await refused(PAGE)).toBeDefined()
    now = HOUR / 30 - 1
    expect(await refused(PAGE)).toBeDefined()
    expect(tools.asked).toHaveLength(1)
    now = HOUR / 30
    expect(await refused(PAGE)).toBeUndefined()
    expect(tools.asked).toHaveLength(2)
  })
})
