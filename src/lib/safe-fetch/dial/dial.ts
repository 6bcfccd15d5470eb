import type { LookupAddress } from 'node:dns'
import { connect, type Socket } from 'node:net'
import { NoLocalAddress } from '../fault.ts'

/** Opens a connection to one checked address, and breaks off when the signal says so. */
export type Dial = (address: LookupAddress, port: number, signal: AbortSignal) => Promise<Socket>

/** The addresses of this machine that requests leave from, by family (PRICETAPE_EGRESS_ADDRESS). */
export type LocalAddresses = { v4?: string; v6?: string }

/** Dials an address itself. Where local addresses are set, a family without one is not used at all. */
export function dialDirectly(local: LocalAddresses | undefined): Dial {
  return ({ address, family }, port, signal) =>
    new Promise((resolve, reject) => {
      const localAddress = family === 6 ? local?.v6 : local?.v4
      if (local && localAddress === undefined) return reject(new NoLocalAddress(address))
      if (signal.aborted) return reject(signal.reason)
      // The address is a literal, so nothing is looked up here. An error after the connection is its user's.
      const socket = connect({ host: address, port, noDelay: true, localAddress })
      const stop = () => {
        socket.destroy()
        reject(signal.reason)
      }
      socket.on('error', (error) => reject(Object.assign(error, { address })))
      socket.once('connect', () => {
        signal.removeEventListener('abort', stop)
        resolve(socket)
      })
      signal.addEventListener('abort', stop)
    })
}
