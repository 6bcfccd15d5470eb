import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { verifyEmail } from '../../api/account.ts'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { linkToken } from '../../link-token.ts'

/** A click confirms: mail programs open links by themselves, and the link works once. */
export function VerifyEmail() {
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: () => verifyEmail({ token: linkToken() }) })
  return (
    <NarrowPage
      title="Confirm your e-mail address"
      about={isSuccess ? undefined : 'You received this link by mail. It works once.'}
      below={
        error && (
          <Anchor component={Link} to="/account">
            A new link is sent from your account
          </Anchor>
        )
      }
    >
      <Stack>
        {error && <Failure error={error} />}
        {isSuccess ? (
          <>
            <Alert color="teal" role="status">
              Your address is confirmed.
            </Alert>
            <Button component={Link} to="/">
              Continue
            </Button>
          </>
        ) : (
          <Button onClick={() => mutate()} loading={isPending}>
            Confirm the address
          </Button>
        )}
      </Stack>
    </NarrowPage>
  )
}
