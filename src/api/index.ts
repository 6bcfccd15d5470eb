import { createAuthenticator } from '../accounts/authenticate.ts'
import type { CountAddress } from '../accounts/limits/count-address.ts'
import type { Context } from '../context.ts'
import type { createIsolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { aliasesRoute } from './aliases.ts'
import { requireApiKey } from './authentication.ts'
import { catalogRoute } from './catalog.ts'
import { evidenceRoute } from './evidence.ts'
import { historyRoute } from './history.ts'
import { proofRoute } from './log.ts'
import { pageProofRoute } from './log-page.ts'
import { providersRoute } from './providers.ts'
import { validatorCompiler } from './query.ts'
import { reportedReplica } from './report-replica.ts'
import type { Api } from './route.ts'
import type { SendAnswer } from './serving/send-answer.ts'

type Needs = Pick<Context, 'sql' | 'config' | 'log' | 'metrics'> & {
  replica?: Sql
  createReaders?: typeof createIsolation
}

/** The endpoints that accept an API key or a session, behind it. */
export function readApi(
  { sql, config, log, metrics, replica, createReaders }: Needs,
  sendAnswer: SendAnswer,
  countAddress: CountAddress,
) {
  const authenticator = createAuthenticator(sql, countAddress)
  return async (api: Api): Promise<void> => {
    api.setValidatorCompiler(validatorCompiler)
    // Routes send bytes. Their schemas are for the OpenAPI document alone.
    api.setSerializerCompiler(() => (data) => JSON.stringify(data))
    requireApiKey(api, authenticator, config)
    historyRoute(api, { sql, replica: replica && reportedReplica(replica, log, metrics) }, sendAnswer)
    providersRoute(api, sql, sendAnswer)
    aliasesRoute(api, sql, sendAnswer)
    catalogRoute(api, sql, sendAnswer)
    evidenceRoute(api, sql, sendAnswer, createReaders)
    proofRoute(api, sql, sendAnswer)
    pageProofRoute(api, sql, sendAnswer)
  }
}
