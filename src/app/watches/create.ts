import * as watches from '../../watches/create-watch.ts'
import { createWatch } from '../contracts/watches.ts'
import { route } from '../route.ts'
import { requireMails } from './mails.ts'

/** POST /v1/account/watches: mails the account what changes of one subject from now on. */
export const createWatchRoute = route(createWatch, async ({ tools, actor, body }) => {
  requireMails(tools)
  return { watch: await watches.createWatch(tools.sql, actor.accountId, body) }
})
