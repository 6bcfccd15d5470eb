import { quoted } from '../../shell-text.ts'

/** A request as Swagger UI sent it. */
export type SentRequest = { url: string; method: string; headers?: Record<string, string>; body?: unknown }

const KEY = '-H "Authorization: Bearer $PRICETAPE_API_KEY"'

/** Returns the command that sends the same request: with the key that was pasted, or the one in the environment. */
export function curlCommand({ url, method, headers = {}, body }: SentRequest, asksForKey: boolean): string {
  // What curl sends itself is left out.
  const given = Object.entries(headers).filter(([, value]) => value !== '*/*')
  const hasKey = given.some(([name]) => name.toLowerCase() === 'authorization')
  const isGet = method.toUpperCase() === 'GET'
  const parts = [
    `curl ${isGet ? '' : `-X ${method.toUpperCase()} `}${quoted(url)}`,
    ...(asksForKey && !hasKey ? [KEY] : []),
    ...given.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(typeof body === 'string' ? [`-d ${quoted(body)}`] : []),
  ]
  return parts.join(' \\\n  ')
}
