import { lookUp } from '../lib/collections.ts'

/** How people read a unit: so many places further left, and per what. */
export type ShownUnit = {
  /** Places that a price is moved by: 6 for a price per million. */
  places: number
  /** `million tokens`, `GPU hour`. */
  per: string
}

const MILLION = 6
/** What is so cheap one by one that people read it by the million. */
const BY_THE_MILLION = ['token', 'character', 'pixel']
const WORDS: Record<string, string> = { gpu: 'GPU', vcpu: 'vCPU', gib: 'GiB', usd: 'USD' }

/** Returns how people read a unit such as `usd_per_token`. */
export function shownUnit(unit: string): ShownUnit {
  const one = unit.split('_per_').at(-1)!
  if (BY_THE_MILLION.includes(one)) return { places: MILLION, per: `million ${one}s` }
  const words = one.split('_').map((word) => lookUp(WORDS, word) ?? word)
  return { places: 0, per: words.join(' ') }
}
