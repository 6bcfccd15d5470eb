import { listAllProviders } from '../../catalog/search/search-catalog.ts'
import { listProviders } from '../contracts/operator-catalog.ts'
import { route } from '../route.ts'

/** GET /v1/operator/providers: every provider, also those being added and retired ones. */
export const listProvidersRoute = route(listProviders, async ({ tools }) => ({
  providers: await listAllProviders(tools.sql),
}))
