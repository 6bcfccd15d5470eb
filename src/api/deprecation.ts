import { epochMs, type Instant, SECOND } from '../lib/instant.ts'
import type { Api } from './route.ts'

/** Declares in a route's `config.deprecated` that clients have to leave it (docs/versioning.md). */
type Deprecation = {
  /** From then on it is deprecated. */
  since: Instant
  /** From then on it may be gone. */
  sunset?: Instant
  /** The page that says what to use instead. */
  documentation: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    deprecated?: Deprecation
  }
}

/** Announces on every answer of a deprecated route that it is one (RFC 9745), and when it ends (RFC 8594). */
export function deprecationHeaders(api: Api): void {
  api.addHook('onSend', async (request, reply) => {
    const { deprecated } = request.routeOptions.config
    if (!deprecated) return
    const { since, sunset, documentation } = deprecated
    const links = [`<${documentation}>; rel="deprecation"; type="text/html"`]
    reply.header('deprecation', `@${Math.floor(epochMs(since) / SECOND)}`)
    if (sunset) {
      reply.header('sunset', new Date(epochMs(sunset)).toUTCString())
      links.push(`<${documentation}>; rel="sunset"; type="text/html"`)
    }
    const others = reply.getHeader('link')
    reply.header('link', [...(others === undefined ? [] : [String(others)]), ...links].join(', '))
  })
}
