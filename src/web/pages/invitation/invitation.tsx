import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { sessionQuery, signOut } from '../../api/account.ts'
import { ApiError } from '../../api/client.ts'
import { acceptInvitation, readInvitation } from '../../api/workspace.ts'
import { Failure } from '../../components/failure.tsx'
import { Loading } from '../../components/loading.tsx'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { linkToken } from '../../link-token.ts'
import { AccountForm } from '../sign-up/account-form.tsx'

/** The page that an invitation's link opens: joins with the account that is signed in, or creates one. */
export function Invitation() {
  const invitation = useQuery({
    queryKey: ['invitation', linkToken()],
    queryFn: () => readInvitation({ token: linkToken() }),
  })
  const { data: signedIn, isPending } = useQuery(sessionQuery)
  if (invitation.error) return <Unusable error={invitation.error} retry={() => void invitation.refetch()} />
  if (!invitation.data || isPending) return <Loading />
  const { workspace, invitedBy, email, role } = invitation.data.invitation
  return (
    <NarrowPage
      title={`Join ${workspace}`}
      about={`${invitedBy} invites ${email} as ${role === 'admin' ? 'an admin' : 'a member'}.`}
    >
      {signedIn ? <Accept email={signedIn.account.email} /> : <NewOrKnown />}
    </NarrowPage>
  )
}

/** An invitation that the service refuses stays refused; everything else may work the next time. */
function Unusable({ error, retry }: { error: Error; retry: () => void }) {
  const isRefused = error instanceof ApiError && error.status === 400
  return (
    <NarrowPage title="This invitation cannot be used" about={isRefused && error.message}>
      {isRefused ? (
        <Button component={Link} to="/" variant="default">
          Go to the start
        </Button>
      ) : (
        <Failure error={error} retry={retry} />
      )}
    </NarrowPage>
  )
}

function Accept({ email }: { email: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const accept = useMutation({
    mutationFn: () => acceptInvitation({ token: linkToken() }),
    onSuccess: async ({ workspaceId }) => {
      await queryClient.invalidateQueries()
      await navigate({ to: '/', search: { workspace: workspaceId }, replace: true })
    },
  })
  const leave = useMutation({ mutationFn: signOut, onSettled: () => queryClient.resetQueries() })
  return (
    <Stack>
      {accept.error && <Failure error={accept.error} />}
      <Text size="sm">You are signed in as {email}.</Text>
      <Button onClick={() => accept.mutate()} loading={accept.isPending}>
        Join with this account
      </Button>
      <Button variant="default" onClick={() => leave.mutate()} loading={leave.isPending}>
        Use another account
      </Button>
    </Stack>
  )
}

function NewOrKnown() {
  const navigate = useNavigate()
  const next = location.pathname + location.hash
  return (
    <Stack>
      <AccountForm button="Create an account and join" />
      <Alert variant="light" color="gray">
        You have an account already?
        <Button
          variant="default"
          size="xs"
          mt="xs"
          display="block"
          onClick={() => void navigate({ to: '/sign-in', search: { next } })}
        >
          Sign in and join
        </Button>
      </Alert>
    </Stack>
  )
}
