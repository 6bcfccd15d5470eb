import { expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { storeSnapshot } from '../../../src/catalog/snapshots/snapshot-store.ts'
import { collectorFor } from '../../../src/collectors/index.ts'
import { ingestPrices } from '../../../src/prices/ingest/ingest-prices.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { EMPTY } from '../../support/empty.ts'
import { day, observed } from '../observed.ts'

const db = testDatabase({ each: true })
const source = sourceDeclaration.parse({
  ...{ source: 'machines', format: 'skypilot', options: { provider: 'acme', name: 'Acme' } },
})
const CATALOGUE = Buffer.from(
  'InstanceType,AcceleratorName,AcceleratorCount,Region,Price\ngpu_8x,H100,8,us,16\ncpu,,,us,1\n',
)

/** What the parser before read: each machine, and each of its GPUs once more. */
const before = (): Observation[] => {
  const hour = (resource: string, price: string) =>
    observed(resource, 'instance_hours', price, { unit: 'usd_per_instance_hour', pricingTier: { region: 'us' } })
  const gpu = observed('H100', 'gpu_hours', '2', {
    ...{ unit: 'usd_per_gpu_hour', pricingTier: { region: 'us', instance: 'gpu_8x' } },
    billingCondition: '8 on one machine',
  })
  return [hour('gpu_8x', '16'), hour('cpu', '1'), gpu]
}

it('an installation that served each machine and each of its GPUs serves the machine alone, without an event', async () => {
  const collector = collectorFor('skypilot')!
  const parsed = collector.parse(CATALOGUE, { source, at: day(2) })
  const snapshotHash = await storeSnapshot(db.sql, { bytes: CATALOGUE, at: day(1) })
  const { providers } = parsed
  const first = { providers, observations: before(), ignored: [] }
  await ingestPrices(db.sql, { source, snapshotHash, parserVersion: collector.parserVersion - 1, at: day(1), parsed: first })
  const events = async () => (await db.sql`select count(*)::int as n from event`)[0]?.n
  const sent = await events()
  const report = await ingestPrices(db.sql, { source, snapshotHash, parserVersion: collector.parserVersion, at: day(2), parsed })
  expect([report.events, await events()]).toEqual([EMPTY, sent])
  const served = await db.sql`
    select l.resource, l.dimension, r.price::text, r.billing_condition as condition
    from price_line l join publication p on p.content_hash = l.current_hash and p.unpublished_at is null
    join price_row r on r.content_hash = l.current_hash order by 1`
  expect(served).toEqual([
    { resource: 'cpu', dimension: 'instance_hours', price: '1', condition: null },
    { resource: 'gpu_8x', dimension: 'instance_hours', price: '16', condition: '8 × H100' },
  ])
}) // biome-ignore format: one thing after another
