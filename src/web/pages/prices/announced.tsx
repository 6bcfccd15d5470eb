import { Text } from '@mantine/core'
import { shortDay, shownDay } from '../../instants.ts'
import { shownPrice } from './money.ts'
import type { Price } from './row.ts'

/** What a price is announced to change to, below it. */
export function Announced({ price: { kind, next } }: { price: Price }) {
  if (!next) return null
  const shown = shownPrice(next.price, kind.places)
  return (
    <Text size="10px" lh={1.1} fw={600} truncate title={`Announced: ${shown} from ${shownDay(next.at)}`}>
      from {shortDay(next.at)}: {shown}
    </Text>
  )
}
