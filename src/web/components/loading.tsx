import { Center, Loader } from '@mantine/core'

export const Loading = () => (
  <Center py={96} role="status" aria-label="Loading">
    <Loader size="sm" />
  </Center>
)
