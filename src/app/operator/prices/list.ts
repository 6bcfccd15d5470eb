import { listResourceRows as list } from '../../../prices/review/list-resource-rows.ts'
import { listResourceRows } from '../../contracts/operator-prices.ts'
import { route } from '../../route.ts'

/** GET /v1/operator/prices?provider=&resource=: the rows of a resource that are or were served. */
export const listResourceRowsRoute = route(listResourceRows, async ({ tools, query }) => {
  const rows = await list(tools.sql, query)
  return {
    rows: rows.map(({ publishedAt, ...row }) => ({
      contentHash: row.contentHash,
      source: row.source,
      resource: row.resource,
      dimension: row.dimension,
      unit: row.unit,
      currency: row.currency,
      pricingTier: row.pricingTier,
      price: row.price,
      status: row.status,
      statusAt: row.statusAt,
      recordedAt: row.recordedAt,
      newest: row.newest,
      published: publishedAt !== undefined,
    })),
  }
})
