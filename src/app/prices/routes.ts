import { findGroup, findGroupsOf } from '../../aliases/list-groups.ts'
import { readEvidence } from '../../evidence/read-evidence.ts'
import { exportFileName } from '../../exports/file-name-rules.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { shownUnit } from '../../lib/text/price-text.ts'
import { readPrices } from '../../prices/explore/read-prices.ts'
import { readSeries } from '../../prices/explore/read-series.ts'
import { type AppRoute, route } from '../route.ts'
import * as contracts from './contract.ts'

const TYPES = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
  proof: 'application/json; charset=utf-8',
} as const

export const pricesRoutes: AppRoute[] = [
  /** GET /v1/app/prices: every current price as it stood at an instant, packed. */
  route(contracts.readPrices, ({ tools, query }) => readPrices(tools.sql, query)),

  /** GET /v1/app/export: the whole history as one file, or what a CSV file of it is verified with. */
  route(contracts.exportPrices, async ({ tools, query: { what, asOf } }) => {
    const started = await tools.exporter.start({ what, ...(asOf && { asOf }) })
    return { name: exportFileName(started.asOf, what), type: TYPES[what], bytes: started.bytes }
  }),

  /** GET /v1/app/series: the whole history of some resources, or of the members of an alias group. */
  route(contracts.readSeries, async ({ tools, query }) => {
    const { asOf, group: reference, resources = [] } = query
    const group = reference === undefined ? undefined : await groupOf(tools.sql, reference)
    const members = group?.members ?? resources.map(([provider, resource]) => ({ provider, resource }))
    if (members.length === 0 && !group) throw new AppError('invalid_query', 'Name a group or resources.')
    const [only] = members
    return {
      ...(await readSeries(tools.sql, members, { asOf })),
      ...(group && { group: { id: group.id, name: group.name } }),
      groups: !group && only && members.length === 1 ? await findGroupsOf(tools.sql, only) : [],
      members,
    }
  }),

  /** GET /v1/app/evidence/{contentHash}: where a price was read, and who else shows it. */
  route(contracts.readEvidence, async ({ tools, params }) => {
    const found = await readEvidence(tools.sql, tools.findPlace, params.contentHash)
    return { ...found, ...shownUnit(found.unit) }
  }),
]

async function groupOf(sql: Sql, reference: string) {
  const group = await findGroup(sql, reference)
  if (group) return group
  throw new AppError('alias_not_found', 'There is no such alias group: it may have been deleted.', { field: 'group' })
}
