import { IconCircleCheck, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ConfirmedBy } from '../../api/prices.ts'

const MARKS = {
  provider: { text: 'Confirmed by the provider', Icon: IconCircleCheckFilled },
  independent: { text: 'Confirmed by independent sources', Icon: IconCircleCheck },
}

/** Who confirmed every price of a row. */
export function ConfirmedMark({ by }: { by: ConfirmedBy | undefined }) {
  if (!by) return null
  const { text, Icon } = MARKS[by]
  return (
    <span role="img" aria-label={text} title={text} style={{ display: 'inline-flex', flexShrink: 0 }}>
      <Icon size={14} color="var(--mantine-color-teal-text)" aria-hidden />
    </span>
  )
}
