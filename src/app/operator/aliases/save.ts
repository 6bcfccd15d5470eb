import * as aliases from '../../../aliases/accept-proposals.ts'
import { deleteGroup as remove } from '../../../aliases/delete-group.ts'
import { saveGroup as save } from '../../../aliases/save-group.ts'
import { acceptProposals, createGroup, deleteGroup, saveGroup } from '../../contracts/operator-catalog.ts'
import { route } from '../../route.ts'

/** POST /v1/operator/aliases/accept: saves proposed groups. Those that cannot be saved are left out, with the reason. */
export const acceptProposalsRoute = route(acceptProposals, async ({ tools, actor, body }) => {
  const { saved, skipped } = await aliases.acceptProposals(tools.sql, { names: body.names, actor: actor.email })
  return { saved: saved.map(({ name, joined }) => ({ name, joined: joined.length })), skipped }
})

/** POST /v1/operator/aliases: a new group. */
export const createGroupRoute = route(createGroup, async ({ tools, actor, body }) =>
  save(tools.sql, { ...body, actor: actor.email }),
)

/** PUT /v1/operator/aliases/{groupId}: saves a group, unless someone else did meanwhile. */
export const saveGroupRoute = route(saveGroup, async ({ tools, actor, params, body }) =>
  save(tools.sql, { ...body, id: params.groupId, actor: actor.email }),
)

/** DELETE /v1/operator/aliases/{groupId}: its members leave it. */
export const deleteGroupRoute = route(deleteGroup, async ({ tools, actor, params }) => {
  await remove(tools.sql, { id: params.groupId, actor: actor.email })
})
