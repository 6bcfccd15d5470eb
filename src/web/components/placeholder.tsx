import { Skeleton } from '@mantine/core'

/** Keeps the room of what is loading, and says so to those who do not see it. */
export const Placeholder = ({ height }: { height: number }) => (
  <Skeleton height={height} role="status" aria-label="Loading" />
)
