import { Text } from '@mantine/core'
import { IconTriangleFilled, IconTriangleInvertedFilled } from '@tabler/icons-react'

type Props = { direction: 'up' | 'down' | 'same' | undefined; percent: string | undefined }

const COLORS = { up: 'light-dark(#b02020, #ff8787)', down: 'light-dark(#065f44, #63e6be)' }

/** Which way a price went: by sign, shape and word, and by colour. */
export function Trend({ direction, percent }: Props) {
  if (direction !== 'up' && direction !== 'down') return null
  const Icon = direction === 'up' ? IconTriangleFilled : IconTriangleInvertedFilled
  return (
    <Text span size="sm" fw={600} style={{ whiteSpace: 'nowrap', color: COLORS[direction] }}>
      <Icon size={10} aria-hidden /> {percent} {direction === 'up' ? 'up' : 'down'}
    </Text>
  )
}
