import { promises as dns, type LookupAddress } from 'node:dns'
import { type IncomingMessage, request } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { ProxyFault } from '../fault.ts'
import { type Fault, failed, platform } from '../outcome.ts'
import type { Dial } from './dial.ts'
import { connectToFirst, type Progress } from './open-connection.ts'

/** A proxy that connects to addresses for us by CONNECT (PRICETAPE_OUTBOUND_PROXY). */
export type OutboundProxy = {
  host: string
  port: number
  /** The value of `proxy-authorization`. */
  authorization?: string
}

const MAX_HEADERS = 8 * 1024
const SERVER_ERROR = 500

/**
 * Dials an address through a proxy. The proxy is given the address that was checked, never the name: it looks nothing
 * up, and TLS goes through it to the host itself.
 */
export function dialThrough(proxy: OutboundProxy, dial: Dial, progress: Progress): Dial {
  return async (target, port, signal) => {
    const socket = await connectToProxy(proxy, dial, signal)
    // From here on it is the host that is waited for.
    progress.phase = 'connecting'
    return tunnel(proxy, socket, authority(target, port), signal)
  }
}

const authority = ({ address, family }: LookupAddress, port: number): string =>
  family === 6 ? `[${address}]:${port}` : `${address}:${port}`

/** @throws ProxyFault, an internal error, when the proxy cannot be connected to */
async function connectToProxy({ host, port }: OutboundProxy, dial: Dial, signal: AbortSignal): Promise<Socket> {
  try {
    const family = isIP(host)
    const addresses = family === 0 ? await dns.lookup(host, { all: true }) : [{ address: host, family }]
    return await connectToFirst(addresses, port, signal, dial)
  } catch (error) {
    throw new ProxyFault(platform(`the outbound proxy ${host}:${port} cannot be reached: ${(error as Error).message}`))
  }
}

/** @throws ProxyFault when the proxy refuses, or cannot connect to the host */
function tunnel(proxy: OutboundProxy, socket: Socket, address: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const headers = { host: address, ...(proxy.authorization && { 'proxy-authorization': proxy.authorization }) }
    const message = request({
      method: 'CONNECT',
      path: address,
      headers,
      createConnection: () => socket,
      maxHeaderSize: MAX_HEADERS,
    })
    function fail(fault: Fault) {
      signal.removeEventListener('abort', stop)
      socket.on('error', () => {}).destroy()
      reject(new ProxyFault(fault))
    }
    const stop = () => fail(failed('timeout', 'no answer in time: connecting through the outbound proxy'))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    message.once('error', ({ message: why }) => fail(platform(`the outbound proxy broke the connection off: ${why}`)))
    message.once('connect', (response, connected, head) => {
      if (!isSuccess(response) || head.length > 0) return fail(refusal(response))
      signal.removeEventListener('abort', stop)
      resolve((connected as Socket).on('error', () => {}))
    })
    message.end()
  })
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300

/** What a proxy answers that could not connect is a server error. Anything else is about us: it does not let us in. */
function refusal({ statusCode = 0, statusMessage = '' }: IncomingMessage): Fault {
  const answer = `${statusCode} ${statusMessage}`.trim().slice(0, 100)
  if (statusCode >= SERVER_ERROR)
    return failed('unreachable', `our outbound proxy could not connect to the host (it answered ${answer})`)
  return platform(`the outbound proxy refuses the connection (it answered ${answer})`)
}
