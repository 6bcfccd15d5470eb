import { listGroups } from '../../aliases/list-groups.ts'
import { findResourceChoices, listProviderChoices } from '../../catalog/search/find-choices.ts'
import { readEventExamples } from '../../events/read-event-examples.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

export const choicesRoutes: AppRoute[] = [
  /** GET /v1/choices: the providers, documents and alias groups that a webhook can name. */
  route(contracts.listChoices, async ({ tools }) => ({
    providers: await listProviderChoices(tools.sql),
    groups: (await listGroups(tools.sql)).map(({ id, name, members }) => ({ id, name, members: members.length })),
    privateEndpoints: tools.allowsPrivateEndpoints,
  })),

  /** GET /v1/choices/resources?search=: the first resources that a text finds. */
  route(contracts.findResources, async ({ tools, query }) => ({
    resources: await findResourceChoices(tools.sql, {
      search: query.search,
      providers: query.providers?.split(','),
    }),
  })),

  /** GET /v1/choices/events: a body of each event type. */
  route(contracts.listEventExamples, async ({ tools }) => ({
    events: await readEventExamples(tools.sql),
  })),
]
