import { rankFor } from '../catalog/schema.ts'
import { snapshotFacts } from '../catalog/snapshots/snapshot-store.ts'
import { sourceFacts } from '../catalog/sources/source-facts-store.ts'
import { AppError } from '../lib/errors.ts'
import { SHA256_HEX } from '../lib/hash.ts'
import type { Sql } from '../lib/sql.ts'
import { type ServedRow, servedRowOf } from '../prices/store/served-row-store.ts'
import { witnessesOf } from '../prices/store/witness-store.ts'
import type { FindPlace, FoundPlace } from './find-place.ts'
import type { Evidence, EvidenceWitness } from './schema.ts'
import { witnessesOfRow } from './witness-rules.ts'

/**
 * Returns where a served price was read, its place there as it was, and what other sources show.
 * @throws AppError price_not_found
 */
export async function readEvidence(sql: Sql, findPlace: FindPlace, contentHash: string): Promise<Evidence> {
  const row = SHA256_HEX.test(contentHash) ? await servedRowOf(sql, contentHash) : undefined
  if (!row)
    throw new AppError(
      'price_not_found',
      'No price with this contentHash was ever served: take one from /v1/prices/history or from an event.',
      { field: 'contentHash' },
    )
  const source = (await sourceFacts(sql, [row.source])).get(row.source)!
  const { snapshotHash, locator, price } = row
  const kept = snapshotHash === undefined ? undefined : (await snapshotFacts(sql, [snapshotHash])).get(snapshotHash)
  const { statedBy, ...found } = apart(await findPlace({ snapshotHash, locator, price, format: source.format }, kept))
  const address = kept?.address ?? source.address
  return {
    ...shownRow(row),
    rank: rankFor(source, row.provider),
    read: {
      ...(address && { address }),
      firstReadAt: kept?.readAt ?? row.recordedAt,
      ...(snapshotHash && { snapshot: snapshotHash }),
      ...(kept && { size: kept.size }),
      ...(kept?.contentType && { contentType: kept.contentType }),
      ...(locator !== undefined && { locator }),
      ...(statedBy && { statedBy }),
    },
    entered: row.isEntered,
    ...found,
    witnesses: await readWitnesses(sql, row, source.format),
  }
}

/** What the list says about its own evidence belongs to where it was read. */
function apart(found: FoundPlace) {
  if (!('place' in found)) return { ...found, statedBy: undefined }
  const { statedBy, ...place } = found.place
  return { place, statedBy }
}

function shownRow(row: ServedRow) {
  const { contentHash, provider, source, resource, dimension, unit, currency, pricingTier, price, recordedAt } = row
  const { effectiveFrom, status, servedFrom, servedUntil } = row
  return {
    ...{ contentHash, provider, source, resource, dimension, unit, currency },
    pricingTier: JSON.parse(pricingTier) as Record<string, string>,
    ...{ price, recordedAt, status, servedFrom },
    ...(effectiveFrom !== undefined && { effectiveFrom }),
    ...(servedUntil && { servedUntil }),
  }
}

async function readWitnesses(sql: Sql, row: ServedRow, format: string): Promise<EvidenceWitness[]> {
  const { provider, resource, canonicalResource, dimension, unit, currency, pricingTier } = row
  const claim = { key: '', provider, resource, canonicalResource, dimension, unit, currency, pricingTier }
  const shown = await witnessesOf(sql, row.source, [], [claim])
  const sources = await sourceFacts(sql, [...new Set(shown.map(({ source }) => source))])
  return witnessesOfRow(row, format, shown, sources)
}
