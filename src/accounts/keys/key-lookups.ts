import { MINUTE } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { lastUsed } from '../last-used.ts'
import { existingKeys } from './api-key-store.ts'

const MAX_REMEMBERED_KEYS = 10_000
/** A refused key is remembered for so long. It can never become valid: keys are random and never given out twice. */
const REFUSED_FOR_MS = 5 * MINUTE

/** Keys that are looked up in one statement. It starts when the one before it has ended. */
type Batch = { hashes: Set<string>; existing: Promise<Set<string>> }

/**
 * Tells wrong keys from right ones before any bucket is taken from. One statement runs at a time, and looks up every key
 * that came in while the one before it ran: a flood of wrong keys costs a few statements, and a right one among them
 * waits for two at most.
 */
export function createKeyLookups(sql: Sql) {
  const known = lastUsed<true>(MAX_REMEMBERED_KEYS)
  const refused = lastUsed<true>(MAX_REMEMBERED_KEYS, REFUSED_FOR_MS)
  let gathering: Batch | undefined
  let previous: Promise<unknown> = Promise.resolve()

  function nextBatch(): Batch {
    const hashes = new Set<string>()
    const existing = previous.then(() => {
      gathering = undefined
      return existingKeys(sql, [...hashes])
    })
    previous = existing.catch(() => {})
    return { hashes, existing }
  }

  async function lookUp(hash: string): Promise<boolean> {
    gathering ??= nextBatch()
    const { hashes, existing } = gathering
    hashes.add(hash)
    return (await existing).has(hash)
  }

  return {
    /** Returns whether a key with this hash existed when this node last looked. */
    async exists(hash: string): Promise<boolean> {
      if (known.has(hash)) return true
      if (refused.has(hash)) return false
      const exists = await lookUp(hash)
      if (exists) known.set(hash, true)
      else refused.set(hash, true)
      return exists
    },
    /** The key is no longer there. */
    forget(hash: string): void {
      known.delete(hash)
      refused.set(hash, true)
    },
  }
}
