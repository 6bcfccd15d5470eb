import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import type { Change } from '../events/change-schema.ts'
import { forgetAnnounced, noteAnnounced } from '../store/announced-store.ts'

/** Notes which prices of volatile lines subscribers know by a person's decision: a decision is never suppressed. */
export async function announceDecided(tx: Tx, at: Instant, changes: Change[]): Promise<void> {
  const known = changes.flatMap((change) => {
    if (change.kind === 'priceChanged' || change.kind === 'lineAdded') return change.row.contentHash
    return change.kind === 'withdrawn' || change.kind === 'restored' ? (change.current?.contentHash ?? []) : []
  })
  if (known.length > 0) await noteAnnounced(tx, at, known)
  for (const change of changes)
    if (change.kind === 'withdrawn' && !change.current) await forgetAnnounced(tx, change.row.contentHash)
}
