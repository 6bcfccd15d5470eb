import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { declarePriceSource, recordIngested } from '../../catalog/sources/source-ingest-store.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import type { IngestInput } from '../ingest/schema.ts'
import { usableObservations } from '../plan/difference/usable-observation-rules.ts'
import { identityOf } from '../row-rules.ts'
import type { Observation } from '../schema.ts'
import { hasLines } from '../staging/first-load-store.ts'
import { replaceWitnessPrices, type WitnessPrice } from '../store/witness-store.ts'

type WitnessReport = {
  source: string
  witness: true
  lines: number
  /** Lines that the source shows with another price than before, shows for the first time or shows no longer. */
  changed: number
  suppressed: Record<string, number>
}

/**
 * Records what a witness source shows now. Nothing of it is ever served: no provider, resource, price line or event
 * comes from it.
 * @throws OperatorError when the source was served before: what is published of it would stay.
 */
export async function recordWitnessPrices(sql: Sql, input: IngestInput): Promise<WitnessReport> {
  const { source } = input.source
  await declarePriceSource(sql, input.source)
  if (await hasLines(sql, source))
    throw new OperatorError(
      `${source} has published prices, so it cannot become a witness. Declare the witness under another name.`,
    )
  const { usable, suppressed } = usableObservations(input.parsed.observations)
  const at = input.at ?? (await databaseNow(sql))
  const { snapshotHash, parserVersion } = input
  const changed = await sql.begin(async (tx) => {
    const done = await replaceWitnessPrices(tx, source, at, distinct(usable))
    await recordIngested(tx, { source, snapshotHash, parserVersion, lines: usable.length }, at)
    return done.changed
  })
  return { source, witness: true, lines: usable.length, changed, suppressed }
}

/** A parser takes each line once; a list of another origin might not. */
function distinct(observations: Observation[]): WitnessPrice[] {
  const prices = new Map<string, WitnessPrice>()
  for (const observed of observations) {
    const { price, canonicalResource, effectiveFrom, proof, locator } = observed
    const line = identityOf(observed)
    const key = JSON.stringify(line)
    if (!prices.has(key)) prices.set(key, { ...line, price, canonicalResource, effectiveFrom, proof, locator })
  }
  return [...prices.values()]
}
