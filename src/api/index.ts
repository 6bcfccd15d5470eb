import { createAddressGuard } from '../accounts/address-guard.ts'
import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { isForeignBrowser } from '../lib/http.ts'
import { aliasesRoute } from './aliases.ts'
import { requireApiKey } from './authentication.ts'
import { catalogRoute } from './catalog.ts'
import { historyRoute } from './history.ts'
import { providersRoute } from './providers.ts'
import { validatorCompiler } from './query.ts'
import type { Api } from './route.ts'

type Needs = Pick<Context, 'sql' | 'config'>

/** The four endpoints that accept an API key, behind it. */
export function readApi(ctx: Needs) {
  const guard = createAddressGuard()
  return async (api: Api): Promise<void> => {
    api.setValidatorCompiler(validatorCompiler)
    api.setSerializerCompiler(() => (data) => JSON.stringify(data))
    api.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (isForeignBrowser(request.headers, ctx.config.publicUrl)) {
        throw new AppError('origin_not_allowed', 'The API is for server-side calls: call it from your own server.')
      }
      await requireApiKey(ctx.sql, guard, request)
    })
    historyRoute(api, ctx.sql)
    providersRoute(api, ctx.sql)
    aliasesRoute(api, ctx.sql)
    catalogRoute(api, ctx.sql)
  }
}
