import { SECOND } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { lastUsed } from '../last-used.ts'
import { networksOfKey } from './api-key-store.ts'
import { isWithin, type Network, parsedNetworks } from './network-rules.ts'

const MAX_REMEMBERED_KEYS = 10_000
/** A change of a key's networks is noticed by every process within this time. */
const REMEMBERED_MS = 10 * SECOND

/** Returns whether a key, by the SHA-256 of its value, may be used from an address. A key that is not there may. */
export function createKeyNetworks(sql: Sql): (hash: string, ip: string) => Promise<boolean> {
  const known = lastUsed<Network[]>(MAX_REMEMBERED_KEYS, REMEMBERED_MS)
  return async (hash, ip) => {
    const networks = known.get(hash) ?? parsedNetworks(await networksOfKey(sql, hash))
    known.set(hash, networks, { noUpdateTTL: true })
    return networks.length === 0 || isWithin(networks, ip)
  }
}
