import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/lib/config.ts'
import { startDeafServer } from '../support/servers/deaf-server.ts'
import { type Behaviour, startProxy } from '../support/servers/proxy.ts'
import { answering, client, closeAll, HOST, hook, hostile, OK, open } from './support.ts'

afterEach(closeAll)

const URL_OF_HOOK = `https://${HOST}/hook`

async function proxy(behave?: Parameters<typeof startProxy>[0]) {
  const started = await startProxy(behave)
  open.push(started.close)
  return started
}

describe('through an outbound proxy', () => {
  test('the proxy is given the checked address, and TLS goes through it to the host itself', async () => {
    const names: unknown[] = []
    const receiver = await hostile((socket) => {
      names.push((socket as TLSSocket).servername)
      socket.once('data', () => socket.end(OK))
    })
    const through = await proxy()
    const { host, port } = through
    const { egress } = readConfig({ PRICETAPE_OUTBOUND_PROXY: `http://us%40er:p%3Aw@${host}:${port}` })
    const { post, asked } = await client(receiver.port, ['127.0.0.1'], egress)
    expect(await post(URL_OF_HOOK, hook)).toMatchObject({ kind: 'answer', status: 200, response: 'ok' })
    const address = `127.0.0.1:${receiver.port}`
    const authorization = `Basic ${Buffer.from('us@er:p:w').toString('base64')}`
    expect(through.asked).toMatchObject([{ address, headers: { host: address, 'proxy-authorization': authorization } }])
    expect(JSON.stringify(through.asked)).not.toContain(HOST)
    expect(names).toEqual([HOST])
    expect(asked.length).toBeGreaterThan(0)
  })

  test('a host with a private address is refused before the proxy hears of it, and so is a redirect to one', async () => {
    const redirect = 'HTTP/1.1 302 Found\r\nlocation: https://inner.example.com/\r\ncontent-length: 0\r\n\r\n'
    const receiver = await answering(redirect)
    const through = await proxy()
    const says = ({ name }: { name: string }) => [name === HOST ? '127.0.0.1' : '10.0.0.1']
    const { get, post } = await client(receiver.port, says, { proxy: through })
    expect(await post('https://inner.example.com/', hook)).toMatchObject({ reason: 'private_address' })
    expect(through.asked).toEqual([])
    expect(await get(`https://${HOST}/`)).toMatchObject({ reason: 'private_address' })
    expect(through.asked).toMatchObject([{ address: `127.0.0.1:${receiver.port}` }])
  })

  test('an address that the proxy cannot connect to is passed over for the next one', async () => {
    const receiver = await answering(OK)
    const through = await proxy(({ address }) =>
      address.startsWith('127.0.0.3') ? '503 Service Unavailable' : 'connect',
    )
    const { post } = await client(receiver.port, ['127.0.0.3', '127.0.0.1'], { proxy: through })
    expect(await post(URL_OF_HOOK, hook)).toMatchObject({ kind: 'answer', status: 200 })
  })

  test.each<[Behaviour, object]>([
    ['502 Bad Gateway', { kind: 'failed', reason: 'unreachable' }],
    ['503 Service Unavailable', { kind: 'failed', reason: 'unreachable' }],
    [
      '403 Forbidden',
      { kind: 'platform', message: expect.stringContaining('refuses the connection (it answered 403') },
    ],
    ['407 Proxy Authentication Required', { kind: 'platform' }],
    ['chatter', { kind: 'platform', message: expect.stringContaining('(it answered 200') }],
    ['silent', { kind: 'failed', reason: 'timeout' }],
  ])(
    'where it answers CONNECT with “%s”, that costs the receiver an attempt only if it could be at fault',
    async (behaviour, outcome) => {
      const through = await proxy(() => behaviour)
      const { get } = await client(9, ['127.0.0.1'], { proxy: through })
      expect(await get(`https://${HOST}/`, behaviour === 'silent' ? { timeoutMs: 300 } : {})).toMatchObject(outcome)
      expect(through.asked).toHaveLength(1)
      await expect.poll(through.clients).toBe(0)
    },
  )

  test('a proxy that takes no connection in time is our fault', async () => {
    const busy = await startDeafServer()
    open.push(busy.close)
    const { get, post } = await client(9, ['127.0.0.1'], { proxy: busy })
    const ours = { kind: 'platform', message: 'the outbound proxy did not answer in time' }
    expect(await post(URL_OF_HOOK, hook)).toMatchObject(ours)
    const message = 'no complete answer within 3 s: connecting to the outbound proxy'
    expect(await get(`https://${HOST}/`, { timeoutMs: 3_000 })).toMatchObject({ message })
  })

  test('a proxy that is away is our fault', async () => {
    const gone = await startProxy()
    await gone.close()
    const { post } = await client(9, ['127.0.0.1'], { proxy: gone })
    const outcome = await post(URL_OF_HOOK, hook)
    expect(outcome).toMatchObject({
      kind: 'platform',
      message: expect.stringContaining(`${gone.port} cannot be reached`),
    })
  })
})

describe('from an address of this machine', () => {
  const seenBy = async () => {
    const from: unknown[] = []
    const { port } = await hostile((socket) => {
      from.push(socket.remoteAddress)
      socket.once('data', () => socket.end(OK))
    })
    return { port, from }
  }

  test('requests leave from it, to receivers and to the proxy', async () => {
    const { egress } = readConfig({ PRICETAPE_EGRESS_ADDRESS: '127.0.0.2, ::1' })
    expect(egress.localAddresses).toEqual({ v4: '127.0.0.2', v6: '::1' })
    const receiver = await seenBy()
    const { post } = await client(receiver.port, ['127.0.0.1'], egress)
    expect(await post(URL_OF_HOOK, hook)).toMatchObject({ status: 200 })
    expect(receiver.from).toEqual(['127.0.0.2'])
    const through = await proxy()
    const proxied = await client(receiver.port, ['127.0.0.1'], { ...egress, proxy: through })
    expect(await proxied.post(URL_OF_HOOK, hook)).toMatchObject({ status: 200 })
    expect(through.asked).toMatchObject([{ from: '127.0.0.2' }])
  })

  test('an address of another machine is our fault, named by its setting', async () => {
    const { post } = await client(9, ['127.0.0.1'], { localAddresses: { v4: '192.0.2.1' } })
    const message = 'PRICETAPE_EGRESS_ADDRESS is not an address of this machine (EADDRNOTAVAIL)'
    expect(await post(URL_OF_HOOK, hook)).toEqual({ kind: 'platform', message })
  })

  test('a family without an address is never used', async () => {
    const receiver = await seenBy()
    const { post } = await client(receiver.port, ['127.0.0.1'], { localAddresses: { v6: '::1' } })
    const message = 'PRICETAPE_EGRESS_ADDRESS names no IPv4 address'
    expect(await post(URL_OF_HOOK, hook)).toEqual({ kind: 'platform', message })
    expect(receiver.from).toEqual([])
  })
})

test.each([
  ['PRICETAPE_OUTBOUND_PROXY', 'https://proxy:8080'],
  ['PRICETAPE_OUTBOUND_PROXY', 'http://proxy:8080/path'],
  ['PRICETAPE_OUTBOUND_PROXY', 'http://proxy:8080/?query'],
  ['PRICETAPE_OUTBOUND_PROXY', 'http://proxy:8080/#place'],
  ['PRICETAPE_OUTBOUND_PROXY', 'socks5://proxy:1080'],
  ['PRICETAPE_EGRESS_ADDRESS', '203.0.113.1,203.0.113.2'],
  ['PRICETAPE_EGRESS_ADDRESS', 'eth0'],
  ['PRICETAPE_DATABASE_POOL', '1'],
])('%s does not take %s', (name, value) => expect(() => readConfig({ [name]: value })).toThrow(`${name}: `))
