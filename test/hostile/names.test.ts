import { afterEach, describe, expect, test } from 'vitest'
import { answering, client, closeAll, HOST, hook, OK, strictClient } from './support.ts'

const URL = `https://${HOST}/hook`
afterEach(closeAll)

describe('a delivery connects only to public addresses that it checked', () => {
  test('an ordinary host is reached, its name looked up once in each family', async () => {
    const server = await answering(OK)
    const safe = await client(server.port)
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200, response: 'ok' })
    expect(safe.asked.sort()).toEqual([`A ${HOST}`, `AAAA ${HOST}`])
  })

  test('rebinding: an answer that turns private between check and connection is never used', async () => {
    const server = await answering(OK)
    const victim = await answering(OK, { host: '127.0.0.2', port: server.port })
    const safe = await client(server.port, ({ before }) => (before === 0 ? ['127.0.0.1'] : ['127.0.0.2']))
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200 })
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'failed', reason: 'private_address' })
    expect([server.connections, victim.connections]).toEqual([1, 0])
  })

  test('rebinding: an open connection is not used once the name has another address', async () => {
    const keep = OK.replace('connection: close\r\n', '')
    const server = await answering(keep)
    const safe = await client(server.port, ({ before }) => (before === 0 ? ['127.0.0.1'] : ['127.0.0.1', '10.0.0.1']))
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'answer', status: 200 })
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'failed', reason: 'private_address' })
    expect(server.connections).toBe(1)
  })

  test('the time to live of an answer is not believed: every delivery asks again', async () => {
    const server = await answering(OK)
    const safe = await client(server.port)
    for (let i = 0; i < 3; i++) await safe.post(URL, hook)
    expect(safe.asked.filter((line) => line === `A ${HOST}`)).toHaveLength(3)
  })

  test.each([
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['a cloud metadata address', ['169.254.169.254']],
    ['one private address among public ones', ['8.8.8.8', '1.1.1.1', '192.168.1.1']],
    ['a public IPv4 and a private IPv6 address', ['8.8.8.8', 'fd00::1']],
    ['an IPv4-mapped loopback address', ['::ffff:127.0.0.1']],
    ['an IPv4-mapped public address', ['::ffff:8.8.8.8']],
    ['NAT64 of a metadata address', ['64:ff9b::a9fe:a9fe']],
    ['6to4 of a private address', ['2002:a00:1::1']],
    ['Teredo', ['2001:0:53aa:64c::1']],
    ['carrier-grade NAT', ['100.64.0.1']],
    ['an alias of a private name', ['cname:intern.example.net', '10.1.2.3']],
    ['a chain of aliases to loopback', ['cname:a.example.net', 'cname:b.example.net', '127.0.0.1']],
  ])('a host that resolves to %s is refused', async (_what, addresses) => {
    const safe = await strictClient(addresses)
    const outcome = await safe.post(URL, hook)
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'private_address' })
    expect(outcome).toHaveProperty('message', expect.stringContaining(HOST))
  })

  test('an answer too large for a datagram is read over TCP, and its last address counts too', async () => {
    const many = Array.from({ length: 100 }, (_, i) => `8.8.4.${i}`)
    let datagram = true
    const safe = await strictClient(({ type }) => {
      if (type === 'AAAA') return []
      const first = datagram
      datagram = false
      return first ? 'truncated' : [...many, '10.0.0.1']
    })
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'failed', reason: 'private_address' })
  })

  test('no search domain is ever appended to a name', async () => {
    const safe = await strictClient('NXDOMAIN')
    await safe.post(URL, hook)
    expect(new Set(safe.asked)).toEqual(new Set([`A ${HOST}`, `AAAA ${HOST}`]))
  })

  test.each([
    ['NXDOMAIN', 'NXDOMAIN' as const],
    ['no address', []],
    ['an alias that leads nowhere', ['cname:gone.example.net']],
  ])('a name with %s is the endpoint’s fault', async (_what, says) => {
    const safe = await strictClient(says)
    expect(await safe.post(URL, hook)).toMatchObject({ kind: 'failed', reason: 'dns_not_found' })
  })
})
