import { createFeedAddress, deleteFeedAddress, findFeedAddress } from '../../accounts/feeds/feed-address.ts'
import { listProviders } from '../../catalog/providers/list-providers.ts'
import { listFeed } from '../../events/list-feed.ts'
import { readRange } from '../../prices/explore/open-instant.ts'
import { readRecordedChanges } from '../../prices/explore/read-recorded-changes.ts'
import { openItems } from '../../review/find-in-queue.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

/** More waiting items than this are shown as this many. */
const MAX_COUNTED = 1_000

export const feedRoutes: AppRoute[] = [
  /** GET /v1/app/feed: what changed, the newest first. */
  route(contracts.listFeed, ({ tools, query }) => listFeed(tools.sql, query)),

  /** GET /v1/app/feed/recorded: changes that no event tells, from the price history, the newest first. */
  route(contracts.listRecordedChanges, async ({ tools, query }) => {
    const { asOf: before, after, ...filter } = query
    const [at, provider, resource, hash] = after ?? []
    const place = at && { at, provider: provider!, resource: resource!, hash: hash! }
    const { items, next } = await readRecordedChanges(tools.sql, { ...filter, before, ...(place && { after: place }) })
    return { items, ...(next && { next: JSON.stringify([next.at, next.provider, next.resource, next.hash]) }) }
  }),

  /** GET /v1/app/overview: how fresh the sources are, and for operators how much waits for them. */
  route(contracts.readOverview, async ({ tools, actor }) => ({
    ...(await readRange(tools.sql)),
    providers: await listProviders(tools.sql),
    ...(actor?.operator && { waiting: (await openItems(tools.sql, {}, MAX_COUNTED)).length }),
  })),

  /** GET /v1/account/feed: whether the account has a private feed. Its address was shown once. */
  route(contracts.readFeedAddress, async ({ tools, actor }) => ({
    feed: (await findFeedAddress(tools.sql, actor.accountId)) ?? null,
  })),

  /** POST /v1/account/feed: makes the private address of an Atom feed; the one before it ends. */
  route(contracts.createFeedAddress, async ({ tools, actor }) => ({
    path: `/feeds/${await createFeedAddress(tools.sql, actor.accountId)}/changes.atom`,
  })),

  /** DELETE /v1/account/feed: ends the private address. */
  route(contracts.deleteFeedAddress, ({ tools, actor }) => deleteFeedAddress(tools.sql, actor.accountId)),
]
