import type { Observation } from '../schema.ts'
import type { LineIdentity, Money } from '../store/row-rules.ts'
import type { HoldReason } from './check-rules.ts'

/** The most a price may be per unit without a person having seen it, in US dollars. */
const MOST_USD: { [unit: string]: number } = {
  usd_per_token: 0.001,
  usd_per_character: 0.01,
  usd_per_gpu_hour: 50,
  usd_per_instance_hour: 2_000,
  usd_per_image: 50,
  usd_per_second: 50,
}
/** Input is dearer than this in no price list: $200 per million tokens. */
const MOST_USD_PER_INPUT_TOKEN = 0.0002
const LEAST_USD_PER_GPU_HOUR = 0.005
/** No token is cheaper: a hundredth of a cent per million. Less was divided by a million twice. */
const LEAST_USD_PER_TOKEN = 1e-10

/** Whether a price is beyond what anything of its kind costs. */
export function implausible(line: LineIdentity, money: Money): HoldReason[] {
  const price = Number(money.price)
  const limit =
    line.dimension === 'input_tokens' && line.unit === 'usd_per_token' ? MOST_USD_PER_INPUT_TOKEN : MOST_USD[line.unit]
  const tooMuch = limit !== undefined && price > limit
  const tooLittle =
    (line.dimension === 'gpu_hours' && line.currency === 'USD' && price < LEAST_USD_PER_GPU_HOUR) ||
    (line.unit === 'usd_per_token' && price > 0 && price < LEAST_USD_PER_TOKEN)
  return tooMuch || tooLittle ? ['implausible_price'] : []
}

const PRICE = /^(0|[1-9]\d*)(\.\d*[1-9])?$/
// Control characters and lone surrogates cannot be stored as JSON.
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u

export type Usable = { usable: Observation[]; suppressed: Record<string, number> }

/**
 * The observations that say something. What a parser should never have let through is counted and left out; a zero
 * for cached tokens beside a price for uncached ones means that nobody knows, which is how sources write it.
 */
export function usableObservations(observations: Observation[]): Usable {
  const suppressed: Record<string, number> = {}
  const leave = (reason: string) => {
    suppressed[reason] = (suppressed[reason] ?? 0) + 1
    return false
  }
  const priced = new Set<string>()
  for (const one of observations)
    if (one.dimension === 'input_tokens' && one.price !== '0') priced.add(`${one.provider}\u001f${one.resource}`)
  const usable = observations.filter((one) => {
    if (!PRICE.test(one.price)) return leave('not_a_price')
    if (UNSTORABLE.test(one.resource)) return leave('unreadable_name')
    if (one.price === '0' && one.dimension.startsWith('cache_') && priced.has(`${one.provider}\u001f${one.resource}`))
      return leave('zero_means_unknown')
    return true
  })
  return { usable, suppressed }
}
