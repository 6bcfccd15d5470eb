import { resourceKey } from '../../catalog/resource-rules.ts'
import { joinKey } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { core } from '../plan/renames/name-rules.ts'
import type { ResourceName } from '../staging/compare-store.ts'
import type { ListedElsewhere } from './authority-rules.ts'
import { listedElsewhere, stagedKinds, stagedResources } from './authority-store.ts'
import { kindsListed, versionElsewhere } from './listed-meanwhile-store.ts'

/** What other sources listed when it was decided what a source speaks for. */
export type SeenElsewhere = { version: string; names: ReadonlySet<string> }

type Snapshot = { source: string; table: string }

/** Reads what other sources list of the providers of a snapshot, and what to compare it with when it is published. */
export async function readElsewhere(sql: Sql, { source, table }: Snapshot, now: Instant) {
  const version = await versionElsewhere(sql, source)
  const elsewhere = await listedElsewhere(sql, table, source, now)
  const seen: SeenElsewhere = { version, names: new Set(elsewhere.map(listedName)) }
  return { elsewhere, seen }
}

/**
 * Returns whether another source began to list, meanwhile, what this snapshot prices too: both would be served. Only a
 * publication can tell, because no other one runs beside it.
 */
export async function isListedMeanwhile(
  tx: Tx,
  { source, table }: Snapshot,
  seen: SeenElsewhere,
  now: Instant,
): Promise<boolean> {
  if ((await versionElsewhere(tx, source)) === seen.version) return false
  const listed = await listedElsewhere(tx, table, source, now)
  const begun = listed.filter((one) => (one.above || one.below) && !seen.names.has(listedName(one)))
  const providers = [...new Set(begun.map(({ provider }) => provider))]
  if (providers.length === 0) return false
  const models = new Set((await stagedResources(tx, table, providers)).map(modelKey))
  const same = begun.filter((one) => models.has(modelKey(one)))
  if (same.length === 0) return false
  const kinds = await stagedKinds(tx, table, providers)
  return (await kindsListed(tx, same)).some((kind) => kinds.has(kind))
}

const listedName = (one: ListedElsewhere): string => joinKey(one.source, resourceKey(one))

/** Two lists may spell one model differently. */
const modelKey = ({ provider, resource }: ResourceName): string => resourceKey({ provider, resource: core(resource) })
