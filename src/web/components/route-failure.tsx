import { Button, Container, Group } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { Empty } from './empty.tsx'
import { Failure } from './failure.tsx'

/** A page that could not be loaded, or whose subject is gone. */
export function RouteFailure({ error }: { error: unknown }) {
  const router = useRouter()
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty
        title="This is not here"
        action={
          <Group justify="center">
            <Button onClick={() => router.history.back()} variant="default">
              Back
            </Button>
            <Button component="a" href="/">
              Go to the start
            </Button>
          </Group>
        }
      >
        {error.message} It may have been deleted.
      </Empty>
    )
  }
  return (
    <Container size="xs" py={96}>
      <Failure
        error={error instanceof Error ? error : new Error(String(error))}
        retry={() => void router.invalidate()}
      />
    </Container>
  )
}
