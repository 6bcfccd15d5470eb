import { acceptProposals } from '../../../aliases/accept-proposals.ts'
import { deleteGroup as remove } from '../../../aliases/delete-group.ts'
import { listGroups } from '../../../aliases/list-groups.ts'
import { proposeGroups } from '../../../aliases/propose-groups.ts'
import { saveGroup as save } from '../../../aliases/save-group.ts'
import { type AppRoute, route } from '../../route.ts'
import * as contracts from './contract.ts'

export const aliasesRoutes: AppRoute[] = [
  /** GET /v1/operator/aliases: the groups there are, and those that names suggest. */
  route(contracts.listAliases, async ({ tools: { sql } }) => ({
    groups: await listGroups(sql),
    proposals: await proposeGroups(sql),
  })),

  /** POST /v1/operator/aliases/accept: saves proposed groups. Those that cannot be saved are left out, with the reason. */
  route(contracts.acceptProposals, async ({ tools, actor, body }) => {
    const { saved, skipped } = await acceptProposals(tools.sql, { names: body.names, actor: actor.email })
    return { saved: saved.map(({ name, joined }) => ({ name, joined: joined.length })), skipped }
  }),

  /** POST /v1/operator/aliases: a new group. */
  route(contracts.createGroup, async ({ tools, actor, body }) => save(tools.sql, { ...body, actor: actor.email })),

  /** PUT /v1/operator/aliases/{groupId}: saves a group, unless someone else did meanwhile. */
  route(contracts.saveGroup, async ({ tools, actor, params, body }) =>
    save(tools.sql, { ...body, id: params.groupId, actor: actor.email }),
  ),

  /** DELETE /v1/operator/aliases/{groupId}: its members leave it. */
  route(contracts.deleteGroup, async ({ tools, actor, params }) => {
    await remove(tools.sql, { id: params.groupId, actor: actor.email })
  }),
]
