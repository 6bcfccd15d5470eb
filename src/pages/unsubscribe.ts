import { clientAddress } from '../accounts/limits/client-address-rules.ts'
import type { CountAddress } from '../accounts/limits/count-address.ts'
import { retryAfter } from '../accounts/limits/rate-limit-rules.ts'
import { reportError } from '../api/errors.ts'
import type { Api } from '../api/route.ts'
import { AppError } from '../lib/errors.ts'
import type { Sql } from '../lib/sql.ts'
import { findUnsubscribed, unsubscribe } from '../watches/unsubscribe.ts'
import { errorPage, HTML_TYPE, PAGE_POLICY } from './layout-rules.ts'
import { askedPage, donePage } from './unsubscribe-view-rules.ts'

const PATH = '/unsubscribe/:token'
/** Mail programs send one field. */
const BODY_LIMIT = 4_096

/**
 * GET /unsubscribe/:token: asks, because scanners of mail open every link. POST unsubscribes at once: the button of this page, and of
 * mail programs (RFC 8058). The token is all that is needed.
 */
export const unsubscribePages =
  ({ sql, countAddress }: { sql: Sql; countAddress: CountAddress }) =>
  async (api: Api): Promise<void> => {
    api.removeAllContentTypeParsers()
    // Whatever a form sends: the address says it all.
    api.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
    api.addHook('onRequest', async (request, reply) => {
      reply.headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-store' })
      const { waitSeconds } = await countAddress(clientAddress(request.ip))
      if (waitSeconds > 0) throw tooMany(retryAfter(waitSeconds))
    })
    api.setErrorHandler((error, request, reply) => {
      const { status, message } = reportError(error, request, reply)
      reply.type(HTML_TYPE).send(errorPage(status === 404 ? 'Link not known' : 'This did not work yet', message))
    })
    api.get<{ Params: { token: string } }>(PATH, { schema: { hide: true } }, async ({ params }, reply) =>
      reply.type(HTML_TYPE).send(askedPage(await findUnsubscribed(sql, params.token))),
    )
    api.post<{ Params: { token: string } }>(
      PATH,
      { schema: { hide: true }, bodyLimit: BODY_LIMIT },
      async ({ params }, reply) => {
        const watches = await findUnsubscribed(sql, params.token)
        await unsubscribe(sql, params.token)
        return reply.type(HTML_TYPE).send(donePage(watches))
      },
    )
  }

const tooMany = (seconds: number) =>
  new AppError('rate_limited', `Wait ${seconds} s, then load this page again.`, { retryAfter: seconds })
