import type { ReactNode } from 'react'
import { shortDay, shownDay } from '../../../instants.ts'
import { shownPrice } from '../money.ts'
import classes from '../table/price-table.module.css'
import type { Price } from '../table/row.ts'

/** A price, and below it what it is announced to change to. */
export function WithAnnounced({ price: { kind, next }, children }: { price: Price; children: ReactNode }) {
  if (!next) return children
  const shown = shownPrice(next.price, kind.places)
  return (
    <div className={classes.two}>
      {children}
      <div className={classes.announced} title={`Announced: ${shown} from ${shownDay(next.at)}`}>
        from {shortDay(next.at)}: {shown}
      </div>
    </div>
  )
}
