import * as feeds from '../../accounts/feeds/feed-address.ts'
import { deleteFeedAddress } from '../contracts/feed.ts'
import { route } from '../route.ts'

/** DELETE /v1/account/feed: ends the private address. */
export const deleteFeedAddressRoute = route(deleteFeedAddress, ({ tools, actor }) =>
  feeds.deleteFeedAddress(tools.sql, actor.accountId),
)
