import * as events from '../../events/list-feed.ts'
import { listFeed } from '../contracts/feed.ts'
import { route } from '../route.ts'

/** GET /v1/app/feed: what changed, the newest first. */
export const listFeedRoute = route(listFeed, ({ tools, query }) => events.listFeed(tools.sql, query))
