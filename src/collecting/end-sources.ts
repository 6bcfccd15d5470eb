import { undeclaredSources } from '../catalog/sources/ended-source-store.ts'
import { endsAt } from '../catalog/sources/source-rules.ts'
import { sourceState } from '../catalog/sources/source-store.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { countHandovers, endSource } from '../prices/publish/end-source.ts'
import { endDocument } from '../terms/ingest/end-document.ts'
import { withClaim } from './claim.ts'
import type { CollectTools } from './schema.ts'

/** Ends the sources that have not been declared for a week. One that is being read ends with a later check. */
export async function endUndeclaredSources({ sql, log }: Pick<CollectTools, 'sql' | 'log'>, now: Instant) {
  for (const { source, undeclaredAt } of await undeclaredSources(sql)) {
    if (endsAt(undeclaredAt) > now) continue
    const resources = await endClaimed(sql, source, now)
    if (resources !== undefined)
      log.warn({ source, resources }, 'a source that is no longer declared ended, with its prices')
  }
}

/** Ends a source that is not declared at once. Returns how many resources were removed. @throws OperatorError */
export async function endNamedSource(sql: Sql, name: string, now: Instant): Promise<number> {
  const state = await sourceState(sql, name)
  if (!state) throw new OperatorError(`There is no source ${name}. See: npx pricetape source list`)
  if (state.declared)
    throw new OperatorError(
      `The source ${name} is declared. Remove it from the sources file, or set "enabled" to false there, start the workers again, and end it then.`,
    )
  if (state.endedAt) throw new OperatorError(`The source ${name} ended at ${state.endedAt}.`)
  const handovers = await countHandovers(sql, name, now)
  if (handovers > 0)
    throw new OperatorError(
      `Other sources take over ${handovers} resources of ${name} when they are read next. Read them, then end it: npx pricetape source collect`,
    )
  const resources = await endClaimed(sql, name, now)
  if (resources !== undefined) return resources
  throw new OperatorError(`The source ${name} is being read at this moment. Try again in two minutes.`)
}

/** Returns how many resources were removed; undefined when the source is being read, or is declared again. */
const endClaimed = (sql: Sql, source: string, now: Instant): Promise<number | undefined> =>
  withClaim(sql, source, now, undefined, async () => {
    const resources = await endSource(sql, source)
    if (resources !== undefined) await endDocument(sql, source)
    return resources
  })
