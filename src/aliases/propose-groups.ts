import type { Db } from '../lib/sql.ts'
import { allGroups } from './group-store.ts'
import { type Proposal, proposals } from './proposal-rules.ts'
import { listedResources } from './proposal-store.ts'

/** Returns the groups that the names of the priced resources suggest, new and existing ones. Changes nothing. */
export async function proposeGroups(db: Db): Promise<Proposal[]> {
  return proposals(await listedResources(db), await allGroups(db))
}
