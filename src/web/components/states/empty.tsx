import { Center, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Nothing is here yet: what would be, and the next step. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Center py={64}>
      <Stack align="center" gap="xs" maw={480} ta="center">
        <Text fw={600}>{title}</Text>
        {children && <Text c="dimmed">{children}</Text>}
        {action}
      </Stack>
    </Center>
  )
}
