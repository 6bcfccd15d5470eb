import { Badge } from '@mantine/core'
import { IconCheck, IconClock, IconLoader, IconPlayerPause, IconX } from '@tabler/icons-react'
import type { Delivery } from '../../api/webhooks.ts'
import { deliveryState } from '../delivery/answer.ts'

const STATES = {
  pending: { color: 'blue', label: 'pending', Icon: IconClock },
  sending: { color: 'blue', label: 'being sent', Icon: IconLoader },
  retrying: { color: 'orange', label: 'retrying', Icon: IconClock },
  succeeded: { color: 'teal', label: 'succeeded', Icon: IconCheck },
  failed: { color: 'red', label: 'failed', Icon: IconX },
  notSent: { color: 'gray', label: 'not sent', Icon: IconPlayerPause },
} as const

export function DeliveryBadge({ delivery }: { delivery: Pick<Delivery, 'status' | 'cycle' | 'notSent' | 'attempts'> }) {
  const { color, label, Icon } = STATES[deliveryState(delivery)]
  return (
    <Badge color={color} variant="light" leftSection={<Icon size={12} aria-hidden />}>
      {label}
    </Badge>
  )
}
