import { createAuthenticator } from '../accounts/authenticate.ts'
import type { Context } from '../context.ts'
import { aliasesRoute } from './aliases.ts'
import { requireApiKey } from './authentication.ts'
import { catalogRoute } from './catalog.ts'
import { historyRoute } from './history.ts'
import { providersRoute } from './providers.ts'
import { validatorCompiler } from './query.ts'
import type { Api } from './route.ts'

/** The four endpoints that accept an API key, behind it. */
export function readApi({ sql, config }: Pick<Context, 'sql' | 'config'>) {
  const authenticate = createAuthenticator(sql)
  return async (api: Api): Promise<void> => {
    api.setValidatorCompiler(validatorCompiler)
    api.setSerializerCompiler(() => (data) => JSON.stringify(data))
    requireApiKey(api, authenticate, config)
    historyRoute(api, sql)
    providersRoute(api, sql)
    aliasesRoute(api, sql)
    catalogRoute(api, sql)
  }
}
