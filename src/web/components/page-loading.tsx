import { Skeleton, Stack } from '@mantine/core'

/** Keeps the room of a page that is loading: its heading, what it is for, and what it shows. */
export const PageLoading = () => (
  <Stack gap="lg" maw={1200} mx="auto" role="status" aria-label="Loading">
    <div>
      <Skeleton height={34} width={220} />
      <Skeleton height={18} width={480} maw="100%" mt="xs" />
    </div>
    <Skeleton height={640} />
  </Stack>
)
