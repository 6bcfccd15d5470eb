import { alignedParts } from './decimals.ts'

/** A price of a column whose prices have their decimal points in one line. */
export function AlignedPrice({ price, decimals }: { price: string; decimals: number }) {
  const { within, beyond, free, isLong } = alignedParts(price, decimals)
  if (isLong)
    return (
      <span className="long-price" title={price}>
        {price}
      </span>
    )
  return (
    <span className="aligned" data-free={free || undefined}>
      {within}
      {beyond && <span className="beyond">{beyond}</span>}
    </span>
  )
}
