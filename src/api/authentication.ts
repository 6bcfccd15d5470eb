import type { Authenticate } from '../accounts/authenticate.ts'
import type { Config } from '../lib/config.ts'
import { AppError } from '../lib/errors.ts'
import { isForeignBrowser } from '../lib/http.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import type { Api } from './route.ts'

/** Puts every route registered after it behind an API key, and refuses browsers of other origins. */
export function requireApiKey(api: Api, authenticate: Authenticate, config: Pick<Config, 'publicUrl'>): void {
  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isForeignBrowser(request.headers, config.publicUrl)) {
      throw new AppError('origin_not_allowed', 'The API is for server-side calls: call it from your own server.')
    }
    const history = request.routeOptions.config.history === true
    const { authorization } = request.headers
    const { quotas, refusal } = await authenticate({ authorization, ip: request.ip, history })
    rateLimitHeaders(reply, quotas)
    if (refusal) throw refusal
  })
}
