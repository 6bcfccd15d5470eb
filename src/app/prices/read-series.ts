import { findGroup, findGroupsOf } from '../../aliases/list-groups.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import * as explore from '../../prices/explore/read-series.ts'
import { readSeries } from '../contracts/prices.ts'
import { route } from '../route.ts'

/** GET /v1/app/series: the whole history of some resources, or of the members of an alias group. */
export const readSeriesRoute = route(readSeries, async ({ tools, query }) => {
  const { asOf, group: reference, resources = [] } = query
  const group = reference === undefined ? undefined : await groupOf(tools.sql, reference)
  const members = group?.members ?? resources.map(([provider, resource]) => ({ provider, resource }))
  if (members.length === 0 && !group) throw new AppError('invalid_query', 'Name a group or resources.')
  const [only] = members
  return {
    ...(await explore.readSeries(tools.sql, members, { asOf })),
    ...(group && { group: { id: group.id, name: group.name } }),
    groups: !group && only && members.length === 1 ? await findGroupsOf(tools.sql, only) : [],
    members,
  }
})

async function groupOf(sql: Sql, reference: string) {
  const group = await findGroup(sql, reference)
  if (group) return group
  throw new AppError('alias_not_found', 'There is no such alias group: it may have been deleted.', { field: 'group' })
}
