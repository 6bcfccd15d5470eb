import { Box, Button, Group } from '@mantine/core'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { Link, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiError, ConnectionError } from '../../api/connection/client.ts'
import { Empty } from './empty.tsx'
import { Failure } from './failure.tsx'

/** Loads the page again once the service answers: a part of the app may be missing, or gone. Nothing was typed on this page. */
function loadAgain(): void {
  fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(
    () => location.reload(),
    () => {},
  )
}

/** A page that could not be loaded, or whose subject is gone. */
export function RouteFailure({ error }: { error: unknown }) {
  const router = useRouter()
  const { reset } = useQueryErrorResetBoundary()
  const isUnreached = error instanceof ConnectionError
  useEffect(() => {
    if (!isUnreached) return
    window.addEventListener('online', loadAgain)
    return () => window.removeEventListener('online', loadAgain)
  }, [isUnreached])
  const retry = () => {
    // Whatever else went wrong is in the code that is loaded: what the service refused can be asked again without that.
    if (!(error instanceof ApiError)) return loadAgain()
    reset()
    void router.invalidate()
  }
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty
        title="Not found"
        action={
          <Group justify="center">
            <Button onClick={() => router.history.back()} variant="default">
              Back
            </Button>
            <Button component="a" href="/">
              Go to home
            </Button>
          </Group>
        }
      >
        {error.message} {/deleted/.test(error.message) || 'It may have been deleted.'}
      </Empty>
    )
  }
  const isOfPast = error instanceof ApiError && ['as_of_too_recent', 'history_lost'].includes(error.code)
  return (
    <Box maw={540} mx="auto" px="md" py={96}>
      <Failure error={error instanceof Error ? error : new Error(String(error))} retry={retry} />
      {isOfPast && (
        <Button
          component={Link}
          to="."
          search={((search: object) => ({ ...search, asOf: undefined })) as never}
          mt="md"
        >
          Back to now
        </Button>
      )}
    </Box>
  )
}
