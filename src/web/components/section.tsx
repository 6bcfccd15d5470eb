import { Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Reloading } from './loading/skeletons.tsx'

type Props = {
  title: string
  about?: ReactNode
  /** As that of a page. */
  isOld?: boolean
  children: ReactNode
}

/** A part of a page, with its heading. */
export const Section = ({ title, about, isOld = false, children }: Props) => (
  <Stack gap="sm" component="section" mt="md" aria-busy={isOld}>
    <div>
      <Group gap="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {isOld && <Reloading />}
      </Group>
      {about && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
    </div>
    {children}
  </Stack>
)
