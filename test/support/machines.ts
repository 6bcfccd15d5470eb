import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import { type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { ingestPrices } from '../../src/prices/ingest/ingest-prices.ts'

/** Machines, GPUs, their number, price by the hour and on the spot market: a part of the SkyPilot catalogue of 2026. */
const CATALOGUES = [
  {
    provider: 'lambda',
    name: 'Lambda',
    regions: ['us-east-1', 'us-west-2', 'europe-central-1'],
    machines: ['gpu_8x_v100,V100,8,6.32,', 'gpu_4x_a6000,A6000,4,4.36,', 'gpu_1x_a6000,A6000,1,1.09,', 'cpu_4x_general,,,0.2,'],
  },
  {
    provider: 'runpod',
    name: 'RunPod',
    regions: ['US', 'CA', 'IS'],
    machines: ['1x_A100-80GB_SECURE,A100-80GB,1,1.39,1.19', '2x_A100-80GB_SECURE,A100-80GB,2,2.78,2.38'],
  },
] // biome-ignore format: one machine after another

/** Takes prices of machines in, as the collector of their catalogue does, from an instant on. */
export async function recordMachines(sql: Sql, from: Instant): Promise<void> {
  const collector = collectorFor('skypilot')!
  for (const [n, { provider, name, regions, machines }] of CATALOGUES.entries()) {
    const at = plus(from, n * MINUTE)
    const source = sourceDeclaration.parse({
      source: `skypilot-${provider}`,
      format: 'skypilot',
      options: { provider, name },
    })
    const rows = machines.flatMap((machine) =>
      regions.map((region) => {
        const [type, gpu, count, price, spot] = machine.split(',')
        return [type, gpu, count, 8, 64, price, region, '', '', spot].join(',')
      }),
    )
    const header =
      'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,AvailabilityZone,GpuInfo,SpotPrice'
    const bytes = Buffer.from([header, ...rows, ''].join('\n'))
    const parsed = collector.parse(bytes, { source, at })
    const snapshotHash = await storeSnapshot(sql, { bytes, at, contentType: 'text/csv' })
    await ingestPrices(sql, { source, snapshotHash, parserVersion: collector.parserVersion, parsed, at, quiet: true })
  }
}
