import { listGroups } from '../../aliases/list-groups.ts'
import { listProviderChoices } from '../../catalog/search/find-choices.ts'
import { listChoices } from '../contracts/choices.ts'
import { route } from '../route.ts'

/** GET /v1/choices: the providers, documents and alias groups that a webhook can name. */
export const listChoicesRoute = route(listChoices, async ({ tools }) => ({
  providers: await listProviderChoices(tools.sql),
  groups: (await listGroups(tools.sql)).map(({ id, name, members }) => ({ id, name, members: members.length })),
  privateEndpoints: tools.allowsPrivateEndpoints,
}))
