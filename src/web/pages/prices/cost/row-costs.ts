import { costOf } from '../../../../../clients/typescript/src/cost/index.ts'
import type { PriceRow } from '../../../../../clients/typescript/src/index.ts'
import type { Price } from '../table/row.ts'
import type { ModelRow } from '../table/unpack.ts'
import { shownAmount, singleTotal } from './costs.ts'
import { usageOf, type Workload } from './workload.ts'

/** Returns rows with what a workload costs there in USD. Where a part of it has no price, there is no cost. */
export function withCosts(rows: ModelRow[], workload: Workload): ModelRow[] {
  const usage = usageOf(workload)
  const credits = rows.flatMap((row) => row.prices.filter(isCreditPrice).map((price) => servedRow(row, price)))
  return rows.map((row) => {
    const own = credits.filter(({ provider }) => provider === row.provider)
    const served = [...row.prices.map((price) => servedRow(row, price)), ...own]
    const { total, unpriced } = costOf(served, usage)
    const single = singleTotal(total)
    if (unpriced.length > 0 || single?.currency !== 'USD') return row
    return { ...row, cost: { value: Number(single.amount), shown: shownAmount(single.amount) } }
  })
}

const isCreditPrice = ({ kind }: Price): boolean => kind.dimension === 'credits'

/** A row of the explorer as the API serves it, as far as a cost depends on it. */
const servedRow = (
  { provider, resource, source }: ModelRow,
  { kind: { dimension, unit, currency, tier }, price, recordedAt }: ModelRow['prices'][number],
): PriceRow =>
  ({
    provider,
    resource,
    source,
    dimension,
    unit,
    currency,
    pricingTier: tier,
    price,
    recordedAt,
  }) as unknown as PriceRow
