import { startCheck } from '../contracts/operator-check.ts'
import { route } from '../route.ts'

/** POST /v1/operator/check: what `npx pricetape check` does, without waiting for its end. */
export const startCheckRoute = route(startCheck, async ({ tools }) => {
  await tools.startCheck()
})
