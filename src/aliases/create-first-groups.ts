import { lastPublication, publishing } from '../catalog/clock/clock-store.ts'
import { plus } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { readGroupName, readMembers } from './group-rules.ts'
import { allGroups, insertGroups } from './group-store.ts'
import { proposeGroups } from './propose-groups.ts'

/** The actor that the first revision of these groups shows. */
const FIRST_START_ACTOR = 'first start'

/**
 * Creates the groups that the names in the imported history suggest, all in one publication. It belongs to the import: it
 * is stamped right after it and makes no events, for nothing can be subscribed yet. What later names suggest waits for
 * a person. Changes nothing where there are groups. Returns how many were created.
 */
export async function createFirstGroups(sql: Sql): Promise<number> {
  const at = plus(await lastPublication(sql), 1)
  return publishing(
    sql,
    async (tx, stamp) => {
      if ((await allGroups(tx)).length > 0) return 0
      const groups = (await proposeGroups(tx)).map(({ name, members }) => ({
        name: readGroupName(name),
        members: readMembers(members),
      }))
      await insertGroups(tx, stamp.at, groups, FIRST_START_ACTOR)
      return groups.length
    },
    at,
  )
}
