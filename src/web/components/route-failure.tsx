import { Container } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import { Failure } from './failure.tsx'

/** A page that could not be loaded. */
export function RouteFailure({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <Container size="xs" py={96}>
      <Failure
        error={error instanceof Error ? error : new Error(String(error))}
        retry={() => void router.invalidate()}
      />
    </Container>
  )
}
