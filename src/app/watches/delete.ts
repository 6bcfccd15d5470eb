import * as watches from '../../watches/delete-watch.ts'
import { deleteWatch } from '../contracts/watches.ts'
import { route } from '../route.ts'

/** DELETE /v1/account/watches/{watchId}: ends it. */
export const deleteWatchRoute = route(deleteWatch, ({ tools, actor, params }) =>
  watches.deleteWatch(tools.sql, { accountId: actor.accountId, ...params }),
)
