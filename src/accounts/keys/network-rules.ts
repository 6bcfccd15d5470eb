import ipaddr from 'ipaddr.js'
import { AppError } from '../../lib/errors.ts'
import { clientIp } from '../limits/client-address-rules.ts'

/** Networks of one API key. */
export const MAX_NETWORKS = 50

export type Network = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** Four decimal numbers. With a leading zero the library reads a number as octal, which names another network. */
const WHOLE_IPV4 = /^(0|[1-9]\d{0,2})(\.(0|[1-9]\d{0,2})){3}$/

/** Returns a network as it is stored: its first address and length. An address alone is a network of one. */
function readNetwork(text: string): { network: string } | { problem: string } {
  const [address = '', bits, ...more] = text.trim().split('/')
  const isWhole = WHOLE_IPV4.test(address) || address.includes(':')
  if (more.length > 0 || !isWhole || !ipaddr.isValid(address) || address.includes('%'))
    return { problem: `${text} is not a network: write 203.0.113.0/24, 2001:db8::/32 or one address` }
  const parsed = ipaddr.process(address)
  const wasMapped = parsed.kind() === 'ipv4' && address.includes(':')
  const most = parsed.kind() === 'ipv4' ? 32 : 128
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) - (wasMapped ? 96 : 0) : -1
  if (length < 0 || length > most) return { problem: `${text} is not a network: its length is 0 to ${most}` }
  const kind = parsed.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6
  const first = kind.networkAddressFromCIDR(`${parsed.toString()}/${length}`).toString()
  if (first !== parsed.toString()) return { problem: `${text} is not a network: write ${first}/${length}` }
  return { network: `${first}/${length}` }
}

/**
 * Returns networks as they are stored, each once.
 * @throws AppError invalid_body (field `networks`)
 */
export function readNetworks(given: string[]): string[] {
  const read = given.map(readNetwork)
  const wrong = read.find((one) => 'problem' in one)
  if (wrong && 'problem' in wrong) throw invalidNetworks(wrong.problem)
  const networks = [...new Set(read.flatMap((one) => ('network' in one ? [one.network] : [])))]
  if (networks.length > MAX_NETWORKS) throw invalidNetworks(`must be at most ${MAX_NETWORKS} networks`)
  return networks
}

const invalidNetworks = (problem: string): AppError =>
  new AppError('invalid_body', `networks: ${problem}`, { field: 'networks' })

/** Returns stored networks for `isWithin`. */
export const parsedNetworks = (networks: string[]): Network[] => networks.map((one) => ipaddr.parseCIDR(one))

/** Whether a client is in one of these networks. A client without an address is in none. */
export function isWithin(networks: Network[], ip: string): boolean {
  const address = clientIp(ip)
  return (
    address !== undefined &&
    networks.some(([first, bits]) => address.kind() === first.kind() && address.match(first, bits))
  )
}
