import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allowedMs } from '../support/suite/allowed-time.ts'
import { lacks } from '../support/suite/needs.ts'
import { startMachine } from './namespace/start-machine.ts'

const SECOND_MS = 1_000
const LIMIT_MS = 60_000
const NO_DEFAULT = ['route del default', '-6 route del default']
const RESTORE = ['route add default via 5.45.0.1', '-6 route add default via 2a02:5::1']

describe.skipIf(lacks('network namespaces'))(
  'in a network of its own (needs network namespaces)',
  { timeout: LIMIT_MS },
  () => {
    type Machine = Awaited<ReturnType<typeof startMachine>>
    let machine: Machine
    beforeAll(async () => {
      machine = await startMachine()
    }, LIMIT_MS)
    afterAll(() => machine?.stop())

    const ip = async (...commands: string[]) => {
      for (const command of commands) await machine.ip(command)
    }
    const url = (host: string, path = '/ok') => `https://${host}.example.com${path}`
    const post = (host: string, path?: string) => machine.post(url(host, path))
    /** With a resolver on the machine itself, which answers without any route. */
    const postByLocalName = (path: string) => machine.post(url('v4', path), 'local')
    const ok = { kind: 'answer', status: 200, response: 'ok' }

    describe('a host that cannot be reached is an outcome, and the process goes on', () => {
      beforeEach(() => machine.reset())
      afterAll(() => machine.reset())

      test('without any route the fault is ours, with https and with http, in both families', async () => {
        await ip(...NO_DEFAULT)
        for (let i = 0; i < 3; i++) {
          const outcome = await postByLocalName('/ok')
          expect(outcome).toEqual({
            kind: 'platform',
            message: 'this machine has no route to the internet',
            offline: true,
          })
        }
        expect((await post('v4')).kind).toBe('platform')
        expect(await machine.get('http://v4.example.com/ok')).toMatchObject({ kind: 'platform' })
        await ip(...RESTORE)
        expect(await postByLocalName('/ok')).toMatchObject(ok)
      })

      test('without a route to its network, an endpoint has failed', async () => {
        await ip('route add unreachable 93.184.217.0/24')
        for (let i = 0; i < 3; i++)
          expect(await post('unrouted')).toMatchObject({ kind: 'failed', reason: 'unreachable' })
        expect(await machine.get('http://unrouted.example.com/ok')).toMatchObject({ reason: 'unreachable' })
        expect(await post('v4')).toMatchObject(ok)
      })

      test('a host that no neighbour knows has failed', async () => {
        await ip('route add 93.184.217.0/24 dev wan')
        expect(await post('unrouted')).toMatchObject({ kind: 'failed', reason: 'unreachable' })
      })

      test('a host in a black hole has failed after five seconds', async () => {
        const started = performance.now()
        const outcome = await post('black-hole')
        expect(outcome).toMatchObject({
          kind: 'failed',
          reason: 'timeout',
          message: expect.stringMatching(/connecting/),
        })
        expect(performance.now() - started).toBeLessThan(5 * SECOND_MS + allowedMs(2 * SECOND_MS))
      })

      test('a rule of this machine that forbids the connection is ours', async () => {
        await ip('route add prohibit 93.184.217.0/24')
        expect(await post('unrouted')).toMatchObject({ kind: 'platform', message: expect.stringMatching(/EACCES/) })
        await ip('route replace blackhole 93.184.217.0/24')
        expect(await post('unrouted')).toMatchObject({ kind: 'platform', message: expect.stringMatching(/EINVAL/) })
      })

      test('when all local ports are in use the fault is ours', async () => {
        await machine.write('/proc/sys/net/ipv4/ip_local_port_range', '50000 50000')
        const [first, second] = await Promise.all([
          machine.post('https://v4.example.com/slow', 'local'),
          sleep(SECOND_MS).then(() => machine.post('https://v4.example.com/ok', 'local')),
        ])
        expect(first).toMatchObject(ok)
        expect(second).toMatchObject({ kind: 'platform', message: expect.stringMatching(/EADDRNOTAVAIL/) })
      })
    })

    describe('with one address family', () => {
      beforeEach(() => machine.reset())
      afterAll(() => machine.reset())

      test('without IPv6, a host with only IPv6 addresses has failed, and one with both is reached', async () => {
        await machine.reset(false)
        for (let i = 0; i < 3; i++)
          expect(await post('v6')).toMatchObject({
            kind: 'failed',
            reason: 'unreachable',
            message: 'the host has only IPv6 addresses, and there is no IPv6 route from here',
          })
        expect(await post('both')).toMatchObject(ok)
      })

      test('with IPv6 alone, hosts with IPv6 are reached, and those with only IPv4 cost no attempt', async () => {
        await ip('route del default')
        expect((await post('v6')).kind).toBe('platform') // its resolver has only an IPv4 address
        await ip('route add 8.8.8.8/32 via 5.45.0.1')
        expect(await post('v6')).toMatchObject(ok)
        expect(await post('both')).toMatchObject(ok)
        const outcome = await post('v4')
        expect(outcome).toEqual({
          kind: 'platform',
          message: 'this machine has no IPv4 route to the internet',
          offline: true,
        })
      })

      test('an IPv6 route that was there and is lost costs no attempt', async () => {
        expect(await post('v6')).toMatchObject(ok)
        await ip('-6 route del default')
        await sleep(5 * SECOND_MS) // until no connection is left open
        expect(await post('v6')).toMatchObject({
          kind: 'platform',
          message: expect.stringMatching(/lost its IPv6 route/),
        })
      })

      test('a dead address of one family does not hide the other', async () => {
        expect(await machine.post(url('half-dead'))).toMatchObject(ok)
      })
    })

    describe('when the default route is lost while requests run', () => {
      beforeEach(() => machine.reset())
      afterAll(() => machine.reset())

      test('a request that waits for its answer costs no attempt, and the next one arrives once the route is back', async () => {
        const waiting = postByLocalName('/never')
        await sleep(SECOND_MS)
        await ip(...NO_DEFAULT)
        expect(await waiting).toEqual({
          kind: 'platform',
          message: 'this machine has no route to the internet. The request was sent, and no answer could arrive',
          offline: true,
        })
        await ip(...RESTORE)
        expect(await postByLocalName('/ok')).toMatchObject(ok)
      })

      test('a request on an open connection costs no attempt', async () => {
        expect(await postByLocalName('/ok')).toMatchObject(ok)
        await ip(...NO_DEFAULT)
        expect(await postByLocalName('/never')).toMatchObject({ kind: 'platform' })
        await ip(...RESTORE)
        expect(await postByLocalName('/ok')).toMatchObject(ok)
      })

      test('a route that is back within the five seconds is not noticed', async () => {
        const waiting = postByLocalName('/slow')
        await sleep(SECOND_MS / 2)
        await ip(...NO_DEFAULT)
        await sleep(SECOND_MS)
        await ip(...RESTORE)
        expect(await waiting).toMatchObject(ok)
      })
    })

    describe('a reset in any phase is an outcome', () => {
      test.each([
        ['on connecting', 'reset-on-connect', '/ok', /closed|reset/],
        ['in the TLS handshake', 'reset-in-handshake', '/ok', /during the TLS handshake/],
        ['before the headers', 'v4', '/reset-before-headers', /reset before the answer/],
        ['in the headers', 'v4', '/reset-in-headers', /reset in the middle of the response headers/],
        ['in the body', 'v4', '/reset-in-body', /^HTTP 500, then the connection was reset after 5 bytes of the body$/],
      ])('%s', async (_title, host, path, message) => {
        const outcome = await machine.post(url(host, path))
        expect(outcome).toMatchObject({
          kind: 'failed',
          reason: 'connection_closed',
          message: expect.stringMatching(message),
        })
        expect(await machine.post(url('v4'))).toMatchObject(ok)
      })

      test('a refused connection', async () => {
        expect(await machine.post(url('refuses'))).toMatchObject({ kind: 'failed', reason: 'connection_refused' })
      })
    })

    describe('with a hostile resolver', () => {
      test.each([
        ['an answer after 2.5 s', 'late-dns'],
        ['an answer too large for a datagram', 'truncated'],
      ])('%s is used', async (_title, host) => {
        expect(await machine.post(url(host))).toMatchObject(ok)
      })

      test('a name is found despite two thousand forged answers that it does not exist', async () => {
        // On a busy machine the flood can fill the socket's buffer, so that the true answer is lost: it never becomes "not found".
        let answer = await machine.post(url('flood'))
        for (let tries = 1; tries < 4 && answer.kind !== 'answer'; tries++) {
          expect(answer).toMatchObject({ kind: 'failed', reason: 'dns_failed' })
          answer = await machine.post(url('flood'))
        }
        expect(answer).toMatchObject(ok)
      })

      test.each([
        ['an alias of itself', 'cname-loop', 'dns_not_found'],
        ['a thousand aliases without an address', 'cname-chain', 'dns_failed'],
        ['a name that does not exist', 'nowhere', 'dns_not_found'],
        ['answers with another id', 'wrong-id', 'dns_failed'],
        ['a public and a private address', 'mixed', 'private_address'],
        ['the address of a metadata service', 'metadata', 'private_address'],
      ])('%s is the endpoint’s failure', async (_title, host, reason) => {
        expect(await machine.post(url(host))).toMatchObject({ kind: 'failed', reason })
      })

      test('a name that changes to loopback after the check is refused', async () => {
        expect(await machine.post(url('rebinding'))).toMatchObject(ok)
        expect(await machine.post(url('rebinding'))).toMatchObject({ kind: 'failed', reason: 'private_address' })
      })

      test('a resolver that cannot be reached is ours', async () => {
        await ip('route add unreachable 8.8.8.8/32')
        expect((await post('v4')).kind).toBe('platform')
        await machine.reset()
      })
    })
  },
)
