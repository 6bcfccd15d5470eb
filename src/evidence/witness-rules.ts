import { rankFor } from '../catalog/schema.ts'
import type { SourceFacts } from '../catalog/sources/source-facts-store.ts'
import { familyOf } from '../prices/plan/evidence/origin-rules.ts'
import { isSamePrice } from '../prices/same-price-rules.ts'
import type { ServedRow } from '../prices/store/served-row-store.ts'
import type { Witness } from '../prices/store/witness-store.ts'
import type { EvidenceWitness } from './schema.ts'

/**
 * Returns what other sources say about a row: those that agree first, the nearest to the provider first. A price that a
 * source began to show when the row was no longer served says nothing about it.
 */
export function witnessesOfRow(
  row: Pick<ServedRow, 'provider' | 'price' | 'servedUntil'>,
  format: string,
  shown: Witness[],
  sources: Map<string, SourceFacts>,
): EvidenceWitness[] {
  const family = familyOf(format)
  return shown
    .filter(({ since }) => row.servedUntil === undefined || since < row.servedUntil)
    .map((one): EvidenceWitness => {
      const facts = sources.get(one.source)
      return {
        source: one.source,
        rank: facts ? rankFor(facts, row.provider) : 'community',
        resource: one.resource,
        price: one.price,
        agrees: isSamePrice(one.price, row.price),
        independent: !family.includes(one.format),
        since: one.since,
        ...(facts?.lastReadAt && { lastReadAt: facts.lastReadAt }),
        ...(facts?.address && { address: facts.address }),
        ...(one.effectiveFrom !== undefined && { effectiveFrom: one.effectiveFrom }),
        ...(one.proof && { statedBy: one.proof }),
      }
    })
    .sort((a, b) => order(a) - order(b) || (a.source < b.source ? -1 : 1))
}

const ORDER = ['provider', 'verified', 'community']
const order = ({ agrees, rank }: EvidenceWitness): number => (agrees ? 0 : ORDER.length) + ORDER.indexOf(rank)
