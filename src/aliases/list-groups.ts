import type { Sql } from '../lib/sql.ts'
import type { Member } from './group-rules.ts'
import { allGroups, type Group, groupByReference, groupsWith } from './group-store.ts'
import { type AliasListing, aliasListing } from './listing-store.ts'

/** Returns every group by name, with its members. */
export const listGroups = (sql: Sql): Promise<Group[]> => allGroups(sql)

/** Returns one group by id or name; undefined when there is none or it was deleted. */
export const findGroup = (sql: Sql, reference: string): Promise<Group | undefined> => groupByReference(sql, reference)

/** Returns the published groups and what can be compared through them. */
export const listAliases = (sql: Sql): Promise<AliasListing> => aliasListing(sql)

/** Returns the groups that a resource is in. */
export const findGroupsOf = (sql: Sql, member: Member): Promise<{ id: string; name: string }[]> =>
  groupsWith(sql, member)
