import * as watches from '../../watches/list-watches.ts'
import { listWatches } from '../contracts/watches.ts'
import { route } from '../route.ts'
import { mailsOf } from './mails.ts'

/** GET /v1/account/watches: what the account watches, and whether it can be mailed. */
export const listWatchesRoute = route(listWatches, async ({ tools, actor }) => ({
  mails: mailsOf(tools),
  watches: await watches.listWatches(tools.sql, actor.accountId),
}))
