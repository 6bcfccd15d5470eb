import type { Config } from '../../lib/config.ts'
import type { Api } from '../route.ts'

/** Sent with every answer unless a route says otherwise: nothing of ours is to be framed, sniffed or run. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
} as const
const TWO_YEARS_S = 63_072_000

export function securityHeaders(api: Api, config: Pick<Config, 'publicUrl'>): void {
  const secure = config.publicUrl?.startsWith('https:')
  api.addHook('onSend', async (_request, reply) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) if (!reply.hasHeader(name)) reply.header(name, value)
    if (secure) reply.header('strict-transport-security', `max-age=${TWO_YEARS_S}`)
  })
}
