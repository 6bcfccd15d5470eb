import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'

export const checksRoutes: AppRoute[] = [
  /** POST /v1/operator/check: what `npx pricetape check` does, without waiting for its end. */
  route(contracts.startCheck, async ({ tools }) => {
    await tools.startCheck()
  }),
]
