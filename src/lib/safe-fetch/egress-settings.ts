import { isIP } from 'node:net'
import { parseUrl } from '../http/parse-url.ts'
import { checkUrl } from './check-url.ts'
import type { LocalAddresses } from './dial/dial.ts'
import type { OutboundProxy } from './dial/dial-proxy.ts'

const HTTP_PORT = 80

/** Reads `http://USER:PASSWORD@HOST:PORT`. Returns undefined where it is anything else. */
export function readProxyUrl(text: string): OutboundProxy | undefined {
  const url = parseUrl(text)
  if (!url) return undefined
  const { protocol, hostname, port, pathname, search, hash, username, password } = url
  if (protocol !== 'http:' || !hostname || pathname !== '/' || search || hash) return undefined
  const user = decoded(username)
  const pass = decoded(password)
  if (user === undefined || pass === undefined) return undefined
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || HTTP_PORT),
    ...(user && { authorization: `Basic ${Buffer.from(`${user}:${pass}`).toString('base64')}` }),
  }
}

/** Reads one IPv4 address, one IPv6 address, or both, with a comma between. Returns undefined for anything else. */
export function readLocalAddresses(text: string): LocalAddresses | undefined {
  const addresses = text.split(',').map((item) => item.trim())
  const v4 = addresses.filter((address) => isIP(address) === 4)
  const v6 = addresses.filter((address) => isIP(address) === 6)
  if (v4.length + v6.length !== addresses.length || v4.length > 1 || v6.length > 1) return undefined
  return { ...(v4[0] !== undefined && { v4: v4[0] }), ...(v6[0] !== undefined && { v6: v6[0] }) }
}

type NoticeSettings = { PRICETAPE_OPERATOR_WEBHOOK?: string | undefined; PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: boolean }

/** Returns what is wrong with the address of operators' notices: they go where deliveries may. */
export function noticeProblems(settings: NoticeSettings): string[] {
  const { PRICETAPE_OPERATOR_WEBHOOK: url, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: allowPrivate } = settings
  if (url === undefined) return []
  const checked = checkUrl(url, { schemes: ['https:'], allowPrivate })
  return checked.ok ? [] : [`PRICETAPE_OPERATOR_WEBHOOK: ${checked.message}`]
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
