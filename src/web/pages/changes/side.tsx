import { Card, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Failure } from '../../components/failure.tsx'

/** One part of what is beside the changes. */
export const Side = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card withBorder padding="md" component="section">
    <Title order={2} size="sm" mb="xs">
      {title}
    </Title>
    {children}
  </Card>
)

/** A part that could not be read. */
export const Unread = ({ title, error, retry }: { title: string; error: Error; retry: () => unknown }) => (
  <Side title={title}>
    <Failure error={error} retry={() => void retry()} />
  </Side>
)
