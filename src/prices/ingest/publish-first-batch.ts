import type { Stamp } from '../../catalog/clock-store.ts'
import { activateProviders, recordUsdPricing, seeProviders } from '../../catalog/provider-store.ts'
import { resourceKey } from '../../catalog/resource-rules.ts'
import { endRenames, listResources } from '../../catalog/resource-store.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Tx } from '../../lib/sql.ts'
import { providerChanges } from '../events/change-rules.ts'
import type { Change } from '../events/change-schema.ts'
import { publishBatch, resourcesOfBatch, rowsOfBatch } from '../staging/first-load-store.ts'
import { type StagedInput, storableProviders } from './schema.ts'

type FirstBatch = { batch: number; quiet: boolean }
type PublishedBatch = { rows: number; changes: Change[] }

/**
 * Publishes a batch of the lines of a first load, within one publication. Of a quiet import nothing is read; else the
 * rows are read for their events.
 */
export async function publishFirstBatch(
  tx: Tx,
  stamp: Stamp,
  input: StagedInput,
  { batch, quiet }: FirstBatch,
): Promise<PublishedBatch> {
  const { at } = stamp
  const { source } = input.source
  const { table } = input.staged
  await seeProviders(tx, source, storableProviders(input), at)
  const resources = await resourcesOfBatch(tx, table, batch)
  const providers = [...new Set(resources.map(({ provider }) => provider))]
  const added = await listResources(tx, source, resources, at)
  await endRenames(tx, source, resources, at)
  const activated = await activateProviders(tx, providers, at, { older: input.quiet })
  const { snapshotHash, parserVersion } = input
  const rows = await publishBatch(tx, table, { source, batch, at, seq: stamp.nextSeq(), snapshotHash, parserVersion })
  // The statuses took the numbers from the first one on.
  for (let n = 1; n < rows; n++) stamp.nextSeq()
  await recordUsdPricing(tx, providers, at)
  if (quiet) return { rows, changes: [] }
  const published = (await rowsOfBatch(tx, table, batch)).map((row) => ({ ...row, recordedAt: at }))
  const byResource = groupBy(published, resourceKey)
  const addedKeys = new Set(added.map(resourceKey))
  return {
    rows,
    changes: [
      ...providerChanges({ activated }),
      ...[...addedKeys].map((key): Change => ({ kind: 'resourceAdded', rows: byResource.get(key)! })),
      ...published.filter((row) => !addedKeys.has(resourceKey(row))).map((row): Change => ({ kind: 'lineAdded', row })),
    ],
  }
}
