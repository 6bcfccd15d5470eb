import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'

export type Routes = { v4: boolean; v6: boolean }

/** Addresses that every machine on the internet has a route to: root name servers. Nothing is sent to them. */
const PUBLIC = { v4: ['198.41.0.4', '193.0.14.129'], v6: ['2001:503:ba3e::2:30', '2001:7fd::1'] }
const DISCARD_PORT = 9

/**
 * Returns the error code with which this machine refuses a route to an address, or undefined when there is a route.
 * Connecting a datagram socket makes the kernel choose a route, by all its tables and rules, and sends nothing.
 */
export function routeError(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4')
    const finish = (error?: NodeJS.ErrnoException) => {
      resolve(error ? (error.code ?? 'unknown') : undefined)
      socket.close()
    }
    socket.once('error', finish).once('connect', () => finish())
    socket.connect(DISCARD_PORT, address)
  })
}

/** Returns for each address family whether this machine has a route to the internet. */
export async function findRoutes(): Promise<Routes> {
  const [v4, v6] = await Promise.all([hasRoute(PUBLIC.v4), hasRoute(PUBLIC.v6)])
  return { v4, v6 }
}

async function hasRoute(addresses: string[]): Promise<boolean> {
  const errors = await Promise.all(addresses.map(routeError))
  return errors.includes(undefined)
}
