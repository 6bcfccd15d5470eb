import { listAllProviders } from '../../../catalog/search/search-catalog.ts'
import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'

export const providersRoutes: AppRoute[] = [
  /** GET /v1/operator/providers: every provider, also those being added and retired ones. */
  route(contracts.listProviders, async ({ tools }) => ({
    providers: await listAllProviders(tools.sql),
  })),
]
