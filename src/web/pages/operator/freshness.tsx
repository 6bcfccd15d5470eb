import { Badge } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconHelp } from '@tabler/icons-react'

const LOOKS = {
  fresh: { text: 'fresh', color: 'teal', Icon: IconCircleCheck },
  stale: { text: 'stale', color: 'orange', Icon: IconAlertTriangle },
  unknown: { text: 'not read yet', color: 'gray', Icon: IconHelp },
} as const

/** Whether what is known was confirmed lately, by word, shape and colour. */
export function Freshness({ value }: { value: keyof typeof LOOKS }) {
  const { text, color, Icon } = LOOKS[value]
  return (
    <Badge variant="light" color={color} tt="none" leftSection={<Icon size={12} aria-hidden />}>
      {text}
    </Badge>
  )
}
