import { afterAll, describe, expect, test } from 'vitest'
import { createResolver } from '../../src/lib/safe-fetch/dial/resolver.ts'
import { createSafeFetch } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { startDns } from '../support/servers/dns.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'
import { answering, client, closeAll, HOST, hook, OK, open, strictClient } from './support.ts'

const URL = `https://${HOST}/hook`
afterAll(closeAll) // once, because these tests wait at the same time

describe('whose fault a failed lookup is', () => {
  const rootWorks = (says: 'SERVFAIL' | 'silence' | 'REFUSED') => (question: { name: string }) =>
    question.name === '.' ? ([] as string[]) : says

  test.concurrent.each(['SERVFAIL', 'REFUSED', 'silence'] as const)(
    'name servers of theirs that give %s are their fault while the root answers',
    async (says) => {
      const safe = await strictClient(rootWorks(says))
      expect(await safe.post(URL, hook)).toMatchObject({ kind: 'failed', reason: 'dns_failed' })
    },
  )

  test('the silence that a process hears that stood still meanwhile is its own fault', async () => {
    const safe = await strictClient(rootWorks('silence'))
    const outcome = safe.post(URL, hook)
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500), 300)
    expect(await outcome).toMatchObject({ kind: 'platform', message: expect.stringMatching(/stood still for \d+ ms/) })
  })

  test.concurrent.each(['SERVFAIL', 'REFUSED', 'silence'] as const)(
    'a resolver that gives %s for the root too is our fault',
    async (says) => {
      const safe = await strictClient(says)
      const started = performance.now()
      expect(await safe.post(URL, hook)).toMatchObject({ kind: 'platform' })
      expect(performance.now() - started).toBeLessThan(allowedMs(5_000))
    },
  )

  test('a setting that names no resolver is reported to the operator', () => {
    for (const server of ['dns.example.com', '1.1.1.1:99999', '1.1.1'])
      expect(() => createSafeFetch({ dnsServers: [server] })).toThrow(/PRICETAPE_DNS_SERVERS.*1\.1\.1\.1/)
  })

  test('a resolver that is not there is our fault', async () => {
    const safe = createSafeFetch({ dnsServers: ['127.0.0.1:9'] })
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'platform' })
  })

  test('a broken IPv6 half does not make a host with IPv4 addresses unreachable', async () => {
    const server = await answering(OK)
    const safe = await client(server.port, ({ type }) => (type === 'AAAA' ? 'SERVFAIL' : ['127.0.0.1']))
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200 })
  })

  test('an answer that takes 2.5 s is used, also after many quick ones', async () => {
    const server = await answering(OK)
    let delayMs = 0
    const safe = await client(server.port, () => ({ answer: ['127.0.0.1'], delayMs }))
    for (let i = 0; i < 10; i++) await safe.post(URL, hook)
    delayMs = 2_500
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200 })
  })

  test('a question that is lost on the way is asked again', async () => {
    const server = await answering(OK)
    const safe = await client(server.port, ({ before }) => (before === 0 ? 'silence' : ['127.0.0.1']))
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200 })
  })

  test('of several resolvers, one that says nothing does not hide the next one', async () => {
    const [silent, works] = [await startDns(() => 'silence'), await startDns(() => ['203.0.113.7'])]
    open.push(silent.close, works.close)
    const began = performance.now()
    const found = await createResolver([silent.server, works.server])(HOST)
    expect(found).toEqual({ kind: 'addresses', addresses: [{ address: '203.0.113.7', family: 4 }] })
    expect(performance.now() - began).toBeLessThan(allowedMs(2_500))
    expect(works.asked).toContain(`A ${HOST}`)
  })

  test('of several addresses, one that takes no connections does not hide the others', async () => {
    const server = await answering(OK)
    const safe = await client(server.port, ['127.0.0.3', '127.0.0.1'])
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200 })
  })
})
