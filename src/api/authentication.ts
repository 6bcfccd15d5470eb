import type { Authenticator } from '../accounts/authenticate.ts'
import { rateLimitHeaders } from '../accounts/limits/rate-limit-header-rules.ts'
import { sessionToken } from '../accounts/sessions/session-rules.ts'
import type { SignedIn } from '../accounts/sessions/session-schema.ts'
import type { Config } from '../lib/config.ts'
import { AppError } from '../lib/errors.ts'
import { isForeignBrowser, isOverHttps } from '../lib/http/http.ts'
import type { Api } from './route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whose session came with the request; undefined for an API key. */
    signedIn?: SignedIn
  }
}

/** Puts every route registered after it behind an API key or a session, and refuses browsers of other origins. */
export function requireApiKey(api: Api, authenticator: Authenticator, config: Pick<Config, 'publicUrl'>): void {
  // The database may be away by now: then the tokens come back in their time.
  api.addHook('onClose', () => authenticator.end().catch(() => {}))
  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isForeignBrowser(request.headers, config.publicUrl)) {
      throw new AppError('origin_not_allowed', 'The API is for server-side calls: call it from your own server.')
    }
    const { limit = 'usual' } = request.routeOptions.config
    const { authorization, cookie } = request.headers
    const session = sessionToken(cookie, isOverHttps(request, config.publicUrl))
    const { quotas, refusal, signedIn, caller } = await authenticator.authenticate({
      authorization,
      session,
      ip: request.ip,
      limit,
    })
    reply.headers(rateLimitHeaders(quotas, signedIn ? 'user' : 'key'))
    request.caller = caller
    if (refusal) throw refusal
    request.signedIn = signedIn
  })
}
