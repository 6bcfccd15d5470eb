import * as feeds from '../../accounts/feeds/feed-address.ts'
import { createFeedAddress } from '../contracts/feed.ts'
import { route } from '../route.ts'

/** POST /v1/account/feed: makes the private address of an Atom feed; the one before it ends. */
export const createFeedAddressRoute = route(createFeedAddress, async ({ tools, actor }) => ({
  path: `/feeds/${await feeds.createFeedAddress(tools.sql, actor.accountId)}/changes.atom`,
}))
