import { Card, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** One part of what is beside the changes. */
export const Side = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card withBorder padding="md" component="section">
    <Title order={2} size="sm" mb="xs">
      {title}
    </Title>
    {children}
  </Card>
)
