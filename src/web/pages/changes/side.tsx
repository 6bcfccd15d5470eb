import { Card, Stack, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Words } from '../../components/loading/skeletons.tsx'
import { Failure } from '../../components/states/failure.tsx'

/** One part of what is beside the changes. */
export const Side = ({ title, children }: { title: string; children: ReactNode }) => (
  <Card withBorder padding="md" component="section">
    <Title order={2} size="sm" mb="xs">
      {title}
    </Title>
    {children}
  </Card>
)

/** A part that is loading: two lines, as most have. */
export const SideLoading = ({ title }: { title: string }) => (
  <Side title={title}>
    <Stack gap={4} role="status" aria-label="Loading">
      <Words width={180} />
      <Words width={140} />
    </Stack>
  </Side>
)

/** A part that could not be read. */
export const Unread = ({ title, error, retry }: { title: string; error: Error; retry: () => unknown }) => (
  <Side title={title}>
    <Failure error={error} retry={() => void retry()} />
  </Side>
)
