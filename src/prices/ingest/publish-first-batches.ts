import type { Stamp } from '../../catalog/clock-store.ts'
import { activateProviders, recordUsdPricing, seeProviders } from '../../catalog/provider-store.ts'
import { resourceKey } from '../../catalog/resource-rules.ts'
import { endRenames, listResources } from '../../catalog/resource-store.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Tx } from '../../lib/sql.ts'
import { providerChanges } from '../events/change-rules.ts'
import type { Change } from '../events/change-schema.ts'
import { type Batches, publishBatches, resourcesOfBatch, rowsOfBatch } from '../staging/first-load-store.ts'
import { type StagedInput, storableProviders } from './schema.ts'

/** Batches that were published, with what their changes follow from. */
type PublishedBatches = {
  rows: number
  /** The resources that no source had priced before. */
  added: Set<string>
  activated: { provider: string; name: string }[]
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
  const added = new Set<string>()
  const providers = new Set<string>()
  for (const batch of batchesOf(batches)) {
    const resources = await resourcesOfBatch(tx, table, batch)
    for (const { provider } of resources) providers.add(provider)
    for (const resource of await listResources(tx, source, resources, at)) added.add(resourceKey(resource))
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
  for (let n = 1; n < rows; n++) stamp.nextSeq()
  await recordUsdPricing(tx, [...providers], at)
  return { rows, added, activated }
}

/** Returns the changes of published batches, one batch after another: all rows at once would need much memory. */
export async function* changesOfBatches(
  tx: Tx,
  { at }: Stamp,
  { staged: { table } }: StagedInput,
  batches: Batches,
  { added, activated }: PublishedBatches,
): AsyncGenerator<Change[]> {
  yield providerChanges({ activated })
  for (const batch of batchesOf(batches)) {
    const rows = (await rowsOfBatch(tx, table, batch)).map((row) => ({ ...row, recordedAt: at }))
    yield [...groupBy(rows, resourceKey)].flatMap(([key, ofResource]): Change[] =>
      added.has(key)
        ? [{ kind: 'resourceAdded', rows: ofResource }]
        : ofResource.map((row) => ({ kind: 'lineAdded', row })),
    )
  }
}

const batchesOf = ({ from, to }: Batches): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)
