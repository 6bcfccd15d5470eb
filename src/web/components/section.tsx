import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a page, with its heading. */
export const Section = ({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) => (
  <Stack gap="sm" component="section" mt="md">
    <div>
      <Title order={2} size="h4">
        {title}
      </Title>
      {about && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
    </div>
    {children}
  </Stack>
)
