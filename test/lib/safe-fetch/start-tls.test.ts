import { getEventListeners } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { startTls } from '../../../src/lib/safe-fetch/dial/open-connection.ts'
import { createTlsSessions } from '../../../src/lib/safe-fetch/dial/tls-sessions.ts'
import { authority, closeAll, HOST, hostile } from '../../hostile/support.ts'

afterEach(closeAll)

/** Starts TLS with a server, under a signal that many connections may share. */
async function start(port: number, signal: AbortSignal) {
  const raw = connect(port, '127.0.0.1')
  await new Promise((done) => raw.once('connect', done))
  const secureContext = createSecureContext({ ca: authority.ca })
  return startTls(raw, { host: HOST, secureContext, session: createTlsSessions().of('an endpoint') }, signal)
}

describe('TLS with a server', () => {
  const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

  it('that closes before it is made fails, and leaves nothing that waits for the signal', async () => {
    const { signal } = new AbortController()
    const { port } = await hostile((socket: Socket) => void socket.resume().once('data', () => socket.end()), {
      tls: null,
    })
    await expect(start(port, signal)).rejects.toMatchObject({ code: 'ECONNRESET' })
    await expect.poll(() => listeners(signal)).toBe(0)
  })

  it('that is made leaves nothing that waits for the signal', async () => {
    const { signal } = new AbortController()
    const { port } = await hostile(() => {})
    const socket = await start(port, signal)
    expect(listeners(signal)).toBe(0)
    socket.destroy()
  })

  it('that is broken off fails with the reason', async () => {
    const breaks = new AbortController()
    const { port } = await hostile(() => {}, { tls: null })
    const started = start(port, breaks.signal)
    setTimeout(() => breaks.abort(new Error('too late')), 50)
    await expect(started).rejects.toThrow('too late')
  })

  it('whose time is up before it begins fails with the reason', async () => {
    const { port } = await hostile(() => {}, { tls: null })
    await expect(start(port, AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
  })
})
