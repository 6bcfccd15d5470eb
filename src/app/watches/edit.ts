import * as watches from '../../watches/edit-watch.ts'
import { editWatch } from '../contracts/watches.ts'
import { route } from '../route.ts'

/** PATCH /v1/account/watches/{watchId}: mails it more or less often, or not for now. */
export const editWatchRoute = route(editWatch, async ({ tools, actor, params, body }) => ({
  watch: await watches.editWatch(tools.sql, { accountId: actor.accountId, ...params }, body),
}))
