import { createWatch } from '../../watches/create-watch.ts'
import { deleteWatch } from '../../watches/delete-watch.ts'
import { editWatch } from '../../watches/edit-watch.ts'
import { listWatches } from '../../watches/list-watches.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'
import { mailsOf, requireMails } from './mails.ts'

export const watchesRoutes: AppRoute[] = [
  /** GET /v1/account/watches: what the account watches, and whether it can be mailed. */
  route(contracts.listWatches, async ({ tools, actor }) => ({
    mails: mailsOf(tools),
    watches: await listWatches(tools.sql, actor.accountId),
  })),

  /** POST /v1/account/watches: mails the account what changes of one subject from now on. */
  route(contracts.createWatch, async ({ tools, actor, body }) => {
    requireMails(tools)
    return { watch: await createWatch(tools.sql, actor.accountId, body) }
  }),

  /** PATCH /v1/account/watches/{watchId}: mails it more or less often, or not for now. */
  route(contracts.editWatch, async ({ tools, actor, params, body }) => ({
    watch: await editWatch(tools.sql, { accountId: actor.accountId, ...params }, body),
  })),

  /** DELETE /v1/account/watches/{watchId}: ends it. */
  route(contracts.deleteWatch, ({ tools, actor, params }) =>
    deleteWatch(tools.sql, { accountId: actor.accountId, ...params }),
  ),
]
