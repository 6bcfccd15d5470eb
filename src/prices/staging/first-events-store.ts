import type { Stamp } from '../../catalog/clock/clock-store.ts'
import { recordEventsFrom } from '../../events/store.ts'
import type { Tx } from '../../lib/sql.ts'
import type { ResourceName } from './compare-store.ts'
import { type Batches, firstLoadOf, jsonText } from './first-load-store.ts'

type AddedResources = {
  source: string
  batches: Batches
  resources: ResourceName[]
  /** Providers that price in credits. */
  creditPriced: Set<string>
}

/**
 * Records that resources of published batches were added. The database makes the payloads, the same as `addedEvent` in
 * payload-rules.ts: read into memory, their lines cost as much as publishing them.
 */
export async function recordAdded(tx: Tx, stamp: Stamp, table: string, added: AddedResources): Promise<void> {
  const { source, batches, resources, creditPriced } = added
  const drafts = tx`
    select place, provider, array_remove(array[resource, nullif(canonical, resource)], null) as resources,
           array[resource] as members, provider = any(${[...creditPriced]}::text[]) as credit_priced,
           ${`{"source":${JSON.stringify(source)},"resource":`}::text || ${jsonText(tx, 'resource')}
             || coalesce(',"canonicalResource":' || ${jsonText(tx, 'canonical')}, '') || ',"lines":[' || lines || ']}' as payload
    from (
      select f.place, f.provider, f.resource, nullif((array_agg(f.canonical_resource order by f.rank, f.ord))[1], '')
               as canonical,
             string_agg('{"dimension":' || ${jsonText(tx, 'f.dimension')} || ',"unit":' || ${jsonText(tx, 'f.unit')}
               || ',"currency":' || ${jsonText(tx, 'f.currency')} || ',"pricingTier":' || f.pricing_tier
               || ',"price":"' || f.price || ${`","recordedAt":${JSON.stringify(stamp.at)},"contentHash":"`}::text
               || l.current_hash || '"}', ',' order by f.rank, f.ord) as lines
      from ${tx(firstLoadOf(table))} f
      join unnest(${resources.map(({ provider }) => provider)}::text[],
                  ${resources.map(({ resource }) => resource)}::text[]) as a (provider, resource) using (provider, resource)
      join price_line l using (line_id)
      where f.batch between ${batches.from} and ${batches.to}
      group by f.place, f.provider, f.resource
    ) as added`
  await recordEventsFrom(tx, stamp, { type: 'resource.added', drafts, count: resources.length })
}
