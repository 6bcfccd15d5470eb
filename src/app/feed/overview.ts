import { listProviders } from '../../catalog/providers/list-providers.ts'
import { readRange } from '../../prices/explore/open-instant.ts'
import { openItems } from '../../review/find-items.ts'
import { readOverview } from '../contracts/feed.ts'
import { route } from '../route.ts'

/** More waiting items than this are shown as this many. */
const MAX_COUNTED = 1_000

/** GET /v1/app/overview: how fresh the sources are, and for operators how much waits for them. */
export const readOverviewRoute = route(readOverview, async ({ tools, actor }) => ({
  ...(await readRange(tools.sql)),
  providers: await listProviders(tools.sql),
  ...(actor?.operator && { waiting: (await openItems(tools.sql, {}, MAX_COUNTED)).length }),
}))
