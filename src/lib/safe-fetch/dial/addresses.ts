import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number]
const ranges = (list: string): Range[] => list.trim().split(/\s+/).map(ipaddr.parseCIDR)

/** IPv4 that is not publicly routable (IANA special-purpose registry), and Azure's control address in public space. */
const NOT_PUBLIC_V4 = ranges(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4
  168.63.129.16/32
`)

/** All public IPv6 is in here; so mapped, compatible, SIIT, ULA, link-local, site-local and multicast are outside. */
const GLOBAL_V6 = ranges('2000::/3')
/** Within 2000::/3: protocol assignments with Teredo, documentation, 6to4. */
const NOT_PUBLIC_V6 = ranges('2001::/23 2001:db8::/32 2002::/16 3fff::/20')
/** Within 2001::/23: what IANA lists as globally reachable. */
const PUBLIC_V6 = ranges('2001:1::1/128 2001:1::2/128 2001:3::/32 2001:4:112::/48 2001:20::/28 2001:30::/28')
/** A NAT64 gateway sends these on to the IPv4 address in their last 32 bits. */
const NAT64 = ranges('64:ff9b::/96')

const within = (address: ipaddr.IPv4 | ipaddr.IPv6, list: Range[]) => list.some((range) => address.match(range))

/**
 * Whether the whole internet can reach this address: what an endpoint's host must resolve to (specification, Delivery).
 * Anything that is not exactly an IPv4 or IPv6 address, such as one with a zone, is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address instanceof ipaddr.IPv4) return !within(address, NOT_PUBLIC_V4)
  if (within(address, NAT64)) return !within(new ipaddr.IPv4(address.toByteArray().slice(12)), NOT_PUBLIC_V4)
  if (!within(address, GLOBAL_V6)) return false
  return !within(address, NOT_PUBLIC_V6) || within(address, PUBLIC_V6)
}
