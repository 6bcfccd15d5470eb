/** What the specification says of API keys and of token buckets (Authentication, Limits). Times are in ms. */

/** Thousandths of a token: with whole milliseconds and whole rates nothing is ever rounded. */
type Bucket = { at: number; thousandths: number }
type Kind = 'key' | 'workspace' | 'history' | 'address'

/** "Rate limits use token buckets (steady rate plus burst)" */
const LIMITS: Record<Kind, { rate: number; burst: number }> = {
  key: { rate: 5, burst: 20 },
  workspace: { rate: 10, burst: 40 },
  history: { rate: 2, burst: 5 },
  address: { rate: 5, burst: 20 },
}

export type ModelKey = {
  keyId: string
  value: string
  name: string
  workspace: string
  createdAt: number
  usedAt?: number
  expiresAt?: number
}
export type KeyWorld = { now: number; keys: ModelKey[]; deleted: ModelKey[]; buckets: Map<string, Bucket> }

/** "A workspace holds at most 20 keys." One that has expired is in the list until it is deleted. */
export const isFull = ({ keys }: KeyWorld, workspace: string): boolean =>
  keys.filter((key) => key.workspace === workspace).length >= 20

const isValid = ({ now, keys }: KeyWorld, key: ModelKey): boolean =>
  keys.includes(key) && (key.expiresAt === undefined || now < key.expiresAt)

function bucketOf({ now, buckets }: KeyWorld, kind: Kind, owner: string): Bucket {
  const { rate, burst } = LIMITS[kind]
  const name = `${kind} ${owner}`
  const before = buckets.get(name) ?? { at: now, thousandths: burst * 1_000 }
  const thousandths = Math.min(burst * 1_000, before.thousandths + (now - before.at) * rate)
  const bucket = { at: now, thousandths }
  buckets.set(name, bucket)
  return bucket
}

/** "a request must fit in every bucket that applies". Returns the ms to wait; 0 when it took a token of each. */
function take(world: KeyWorld, wanted: [Kind, string][]): number {
  const buckets = wanted.map(([kind, owner]) => ({ ...LIMITS[kind], bucket: bucketOf(world, kind, owner) }))
  const wait = Math.max(...buckets.map(({ rate, bucket }) => (1_000 - bucket.thousandths) / rate))
  if (wait > 0) return wait
  for (const { bucket } of buckets) bucket.thousandths -= 1_000
  return 0
}

export type Answer = { code?: 'unauthorized' | 'invalid_api_key' | 'rate_limited'; waitMs: number }

/** A request with a key. A key that does not work takes from the bucket of its client address alone. */
export function request(world: KeyWorld, key: ModelKey | undefined, address: string, history: boolean): Answer {
  if (key === undefined || !isValid(world, key)) {
    const waitMs = take(world, [['address', address]])
    return { code: waitMs > 0 ? 'rate_limited' : 'invalid_api_key', waitMs }
  }
  const { keyId, workspace } = key
  const more: [Kind, string][] = history ? [['history', keyId]] : []
  const waitMs = take(world, [['key', keyId], ['workspace', workspace], ...more])
  // "the key list shows … the last-use time", which is written once a minute at most.
  if (key.usedAt === undefined || world.now - key.usedAt >= 60_000) key.usedAt = world.now
  return waitMs > 0 ? { code: 'rate_limited', waitMs } : { waitMs }
}

export function requestWithoutKey(world: KeyWorld, address: string): Answer {
  const waitMs = take(world, [['address', address]])
  return { code: waitMs > 0 ? 'rate_limited' : 'unauthorized', waitMs }
}
