import * as explore from '../../prices/explore/read-prices.ts'
import { readPrices } from '../contracts/prices.ts'
import { route } from '../route.ts'

/** GET /v1/app/prices: every current price as it stood at an instant, packed. */
export const readPricesRoute = route(readPrices, ({ tools, query }) => explore.readPrices(tools.sql, query))
