import { groupBy } from '../../../../lib/collections.ts'
import type { PackedPrices } from '../../../api/prices.ts'

/** What is stated of a resource: tokens of a request and of an answer, and the day of release. */
export type Facts = PackedPrices['facts'][number]

/**
 * Returns what is stated of each model, by its index: the word of its maker, or else the most that a seller takes, and the
 * earliest day.
 */
export function factsOfModels({ resources, models, facts }: PackedPrices): Map<number, Facts> {
  const stated = groupBy(
    resources.filter((one) => one.facts !== undefined),
    ({ model }) => model,
  )
  return new Map(
    [...stated].map(([model, sellers]) => {
      const own = sellers.find(({ provider }) => provider === models[model]!.maker)
      const all = sellers.map((seller) => facts[seller.facts!]!)
      return [model, { ...together(all), ...(own && facts[own.facts!]) }]
    }),
  )
}

function together(all: Facts[]): Facts {
  const most = (of: (facts: Facts) => number | undefined) => Math.max(...all.flatMap((one) => of(one) ?? []))
  const [context, output] = [most((one) => one.context), most((one) => one.output)]
  const [released] = all.flatMap((one) => one.released ?? []).sort()
  return {
    ...(Number.isFinite(context) && { context }),
    ...(Number.isFinite(output) && { output }),
    ...(released !== undefined && { released }),
  }
}
