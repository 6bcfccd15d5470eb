import { Skeleton, Stack } from '@mantine/core'
import { Words } from './skeletons.tsx'

const FIELDS = 6

/** The fields of a form that is loading. */
export const FormLoading = () => (
  <Stack gap="lg" maw={720} role="status" aria-label="Loading">
    {Array.from({ length: FIELDS }, (_, field) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <div key={field}>
        <Words />
        <Skeleton height={36} mt={4} />
      </div>
    ))}
  </Stack>
)
