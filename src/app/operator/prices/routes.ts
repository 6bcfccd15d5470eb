import { restoreRow, withdrawRow } from '../../../prices/review/correct-price.ts'
import { listResourceRows as list } from '../../../prices/review/list-resource-rows.ts'
import { replacePrice } from '../../../prices/review/replace-price.ts'
import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'

export const pricesRoutes: AppRoute[] = [
  /** GET /v1/operator/prices?provider=&resource=: the rows of a resource that are or were served. */
  route(contracts.listResourceRows, async ({ tools, query }) => {
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
  }),

  /** POST /v1/operator/prices/{contentHash}/correct: replaces a wrong price by the right one, with one event. */
  route(contracts.correctPrice, async ({ tools, actor, params, body }) =>
    replacePrice(tools.sql, { ...body, contentHash: params.contentHash, actor: actor.email }),
  ),

  /** POST /v1/operator/prices/{contentHash}/withdraw: stops serving a row that is wrong. */
  route(contracts.withdrawPrice, async ({ tools, actor, params, body }) => ({
    event: await withdrawRow(tools.sql, { ...body, contentHash: params.contentHash, actor: actor.email }),
  })),

  /** POST /v1/operator/prices/{contentHash}/restore: serves a withdrawn row again. */
  route(contracts.restorePrice, async ({ tools, actor, params, body }) => ({
    event: await restoreRow(tools.sql, { ...body, contentHash: params.contentHash, actor: actor.email }),
  })),
]
