import { listGroups } from '../../../aliases/list-groups.ts'
import { proposeGroups } from '../../../aliases/propose-groups.ts'
import { listAliases } from '../../contracts/operator-catalog.ts'
import { route } from '../../route.ts'

/** GET /v1/operator/aliases: the groups there are, and those that names suggest. */
export const listAliasesRoute = route(listAliases, async ({ tools: { sql } }) => ({
  groups: await listGroups(sql),
  proposals: await proposeGroups(sql),
}))
