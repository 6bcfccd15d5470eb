import ipaddr from 'ipaddr.js'

/** A client with one IPv6 address has its whole /64. */
const IPV6_PREFIX_BYTES = 8

/** Some proxies write the port beside the address: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[(.+)\]|([^:]+))(?::\d+)?$/

/** Returns the address of a client, an IPv4 address as such; undefined where its proxy reports none. */
export function clientIp(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [, inBrackets, beforePort] = WITH_PORT.exec(ip) ?? []
  const text = inBrackets ?? beforePort ?? ip
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined
}

/**
 * Returns the name under which a client is counted: an IPv4 address, or the /64 of an IPv6 address. All clients whose
 * proxy reports no address share one name.
 */
export function clientAddress(ip: string): string {
  const address = clientIp(ip)
  if (address === undefined) return 'unknown'
  if (address.kind() === 'ipv4') return address.toString()
  return `${Buffer.from(address.toByteArray().slice(0, IPV6_PREFIX_BYTES)).toString('hex')}/64`
}
