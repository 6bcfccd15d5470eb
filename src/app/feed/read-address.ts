import { findFeedAddress } from '../../accounts/feeds/feed-address.ts'
import { readFeedAddress } from '../contracts/feed.ts'
import { route } from '../route.ts'

/** GET /v1/account/feed: whether the account has a private feed. Its address was shown once. */
export const readFeedAddressRoute = route(readFeedAddress, async ({ tools, actor }) => ({
  feed: (await findFeedAddress(tools.sql, actor.accountId)) ?? null,
}))
