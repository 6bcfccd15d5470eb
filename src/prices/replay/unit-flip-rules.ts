import type { RawChange } from './raw-change-rules.ts'
import { isTakenBack, isTowardsOthers, slipOf } from './slip-rules.ts'

/**
 * What the snapshots alone say of a price that moved by a power of ten. `correction`: the price before was far from that of
 * all other sellers, and the new one is like theirs; or it ends a slip. `slip`: the list took it back. Others may follow a
 * real change later, so their earlier price proves no slip.
 */
export type FlipProof = 'correction' | 'slip' | 'unproven'

/**
 * Returns what the snapshots say of each unit flip. One that says nothing by itself is what the others of its set are, or the
 * same change under another name of the provider: a list changes a unit for all of them.
 */
export function proveFlips(changes: RawChange[]): Map<RawChange, FlipProof> {
  const flips = changes.filter(({ kind }) => kind === 'unit_flip')
  const proofs = new Map(flips.map((flip) => [flip, proofOf(flip, flips)]))
  // From a set to another name, and from there to the other lines of that name.
  for (const group of [({ set }: RawChange) => set, slipOf, ({ set }: RawChange) => set]) share(proofs, group)
  return proofs
}

function proofOf(flip: RawChange, flips: RawChange[]): FlipProof {
  if (isTakenBack(flip)) return 'slip'
  return isTowardsOthers(flip) || flips.some((earlier) => takesBack(flip, earlier)) ? 'correction' : 'unproven'
}

/** Whether a flip is the end of an earlier one, to the very price that was listed before it. */
const takesBack = (flip: RawChange, earlier: RawChange): boolean =>
  earlier.key === flip.key && earlier.until === flip.at && Number(earlier.before) === Number(flip.after)

/** Gives each unproven flip what the proven ones of its group are, if they agree. */
function share(proofs: Map<RawChange, FlipProof>, groupOf: (flip: RawChange) => string): void {
  const proven = new Map<string, Set<FlipProof>>()
  for (const [flip, proof] of proofs)
    if (proof !== 'unproven') proven.set(groupOf(flip), (proven.get(groupOf(flip)) ?? new Set()).add(proof))
  for (const [flip, proof] of proofs) {
    const [only, ...more] = proven.get(groupOf(flip)) ?? []
    if (proof === 'unproven' && only && more.length === 0) proofs.set(flip, only)
  }
}
