import { readRecordedChanges } from '../../prices/explore/read-recorded-changes.ts'
import { listRecordedChanges } from '../contracts/feed.ts'
import { route } from '../route.ts'

/** GET /v1/app/feed/recorded: changes that no event tells, from the price history, the newest first. */
export const listRecordedChangesRoute = route(listRecordedChanges, async ({ tools, query }) => {
  const { asOf: before, after, ...filter } = query
  const [at, provider, resource, hash] = after ?? []
  const place = at && { at, provider: provider!, resource: resource!, hash: hash! }
  const { items, next } = await readRecordedChanges(tools.sql, { ...filter, before, ...(place && { after: place }) })
  return { items, ...(next && { next: JSON.stringify([next.at, next.provider, next.resource, next.hash]) }) }
})
