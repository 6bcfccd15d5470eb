import { Badge } from '@mantine/core'

const COLORS = { low: 'gray', medium: 'yellow', high: 'red' }

/** From which significance on changes of documents are wanted, in words. */
export const SIGNIFICANCES = [
  { value: 'low', label: 'Any significance' },
  { value: 'medium', label: 'Medium or high' },
  { value: 'high', label: 'High only' },
]

type Props = { of: 'low' | 'medium' | 'high' | null | undefined; size?: 'sm' | 'md' }

/** How much a change matters; nothing where that was not computed. */
export function Significance({ of, size = 'md' }: Props) {
  if (!of) return null
  return (
    <Badge size={size} variant="light" color={COLORS[of]} tt="none">
      significance {of}
    </Badge>
  )
}
