import * as choices from '../../catalog/search/find-choices.ts'
import { findResources } from '../contracts/choices.ts'
import { route } from '../route.ts'

/** GET /v1/choices/resources?search=: the first resources that a text finds. */
export const findResourcesRoute = route(findResources, async ({ tools, query }) => ({
  resources: await choices.findResourceChoices(tools.sql, {
    search: query.search,
    providers: query.providers?.split(','),
  }),
}))
