import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { type ActivatedProvider, activateProviders } from '../../catalog/providers/provider-status-store.ts'
import { creditPriced, recordPricing, seeProviders } from '../../catalog/providers/provider-store.ts'
import { resourceKey } from '../../catalog/resource-rules.ts'
import { endRenames, listResources } from '../../catalog/resource-store.ts'
import type { Tx } from '../../lib/sql.ts'
import type { RecordedChanges } from '../publish/record-changes.ts'
import type { ResourceName } from '../staging/compare-store.ts'
import { recordAdded } from '../staging/first-events-store.ts'
import { type Batches, publishBatches, resourcesOfBatch } from '../staging/first-load-store.ts'
import { type StagedInput, storableProviders } from './schema.ts'

/** Batches that were published, with what their changes follow from. */
export type PublishedBatches = {
  rows: number
  /** The resources that no source had priced before, and how many lines they have. */
  added: ResourceName[]
  addedLines: number
  activated: ActivatedProvider[]
}

/** Publishes batches of the lines of a first load, within one publication. */
export async function publishFirstBatches(
  tx: Tx,
  stamp: Stamp,
  input: StagedInput,
  batches: Batches,
): Promise<PublishedBatches> {
  const { at } = stamp
  const { source } = input.source
  const { table } = input.staged
  await seeProviders(tx, source, storableProviders(input), at)
  const added: ResourceName[] = []
  let addedLines = 0
  const providers = new Set<string>()
  for (const batch of batchesOf(batches)) {
    const resources = await resourcesOfBatch(tx, table, batch)
    for (const { provider } of resources) providers.add(provider)
    const linesOf = new Map(resources.map((resource) => [resourceKey(resource), resource.lines]))
    for (const resource of await listResources(tx, source, resources, at)) {
      added.push(resource)
      addedLines += linesOf.get(resourceKey(resource))!
    }
    await endRenames(tx, source, resources, at)
  }
  const activated = await activateProviders(tx, [...providers], at, { older: input.quiet })
  const { snapshotHash, parserVersion } = input
  const rows = await publishBatches(tx, table, {
    source,
    batches,
    at,
    seq: stamp.nextSeq(),
    snapshotHash,
    parserVersion,
  })
  // The statuses took the numbers from the first one on.
  stamp.nextSeq(Math.max(0, rows - 1))
  await recordPricing(tx, [...providers], at)
  return { rows, added, addedLines, activated }
}

/**
 * Records the events of published batches: that resources were added. A line of a resource that another source had priced
 * has none.
 */
export async function recordFirstChanges(
  tx: Tx,
  stamp: Stamp,
  { source: { source }, staged: { table } }: StagedInput,
  batches: Batches,
  { added, addedLines, rows }: PublishedBatches,
): Promise<RecordedChanges> {
  const inCredits = await creditPriced(tx, [...new Set(added.map(({ provider }) => provider))])
  await recordAdded(tx, stamp, table, { source, batches, resources: added, creditPriced: inCredits })
  const suppressed = { first_snapshot: rows - addedLines }
  return { ids: [], events: present({ 'resource.added': added.length }), suppressed: present(suppressed) }
}

const present = (counts: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

const batchesOf = ({ from, to }: Batches): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)
