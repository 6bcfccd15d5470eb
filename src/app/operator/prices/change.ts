import { restoreRow, withdrawRow } from '../../../prices/review/correct-price.ts'
import { replacePrice } from '../../../prices/review/replace-price.ts'
import { correctPrice, restorePrice, withdrawPrice } from '../../contracts/operator-prices.ts'
import { route } from '../../route.ts'

/** POST /v1/operator/prices/{contentHash}/correct: replaces a wrong price by the right one, with one event. */
export const correctPriceRoute = route(correctPrice, async ({ tools, actor, params, body }) =>
  replacePrice(tools.sql, { ...body, contentHash: params.contentHash, actor: actor.email }),
)

/** POST /v1/operator/prices/{contentHash}/withdraw: stops serving a row that is wrong. */
export const withdrawPriceRoute = route(withdrawPrice, async ({ tools, actor, params, body }) => ({
  event: await withdrawRow(tools.sql, { ...body, contentHash: params.contentHash, actor: actor.email }),
}))

/** POST /v1/operator/prices/{contentHash}/restore: serves a withdrawn row again. */
export const restorePriceRoute = route(restorePrice, async ({ tools, actor, params, body }) => ({
  event: await restoreRow(tools.sql, { ...body, contentHash: params.contentHash, actor: actor.email }),
}))
