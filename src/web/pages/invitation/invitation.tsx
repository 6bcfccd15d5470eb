import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionQuery, signOut, visitorQuery } from '../../api/account.ts'
import { ApiError } from '../../api/connection/client.ts'
import { dropDrafts } from '../../api/connection/drafts.ts'
import { acceptInvitation, invitationQuery, isInvitation } from '../../api/workspace.ts'
import { ProviderButton } from '../../components/forms/provider-button.tsx'
import { useLinkToken } from '../../components/hooks/use-link-token.ts'
import { NarrowLoading } from '../../components/loading/skeletons.tsx'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { signInFor } from '../../search.ts'
import { AccountForm } from '../sign-up/account-form.tsx'

/** The page that an invitation's link opens: joins with the account that is signed in, or creates one. */
export function Invitation() {
  const token = useLinkToken()
  const invitation = useQuery(invitationQuery(token))
  const { data: signedIn, isPending } = useQuery(sessionQuery)
  const [hasJoined, setHasJoined] = useState(false)
  if (invitation.error) return <Unusable error={invitation.error} retry={() => void invitation.refetch()} />
  if (!invitation.data || isPending || hasJoined) return <NarrowLoading />
  const { workspace, invitedBy, email, role } = invitation.data.invitation
  return (
    <NarrowPage
      title={`Join ${workspace}`}
      about={`${invitedBy} invites ${email} as ${role === 'admin' ? 'an admin' : 'a member'}.`}
    >
      {signedIn ? (
        <Accept token={token} email={signedIn.account.email} invited={email} />
      ) : (
        <NewOrKnown onJoined={() => setHasJoined(true)} />
      )}
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
          Go to home
        </Button>
      ) : (
        <Failure error={error} retry={retry} />
      )}
    </NarrowPage>
  )
}

function Accept({ token, email, invited }: { token: string; email: string; invited: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const isMine = email.toLowerCase() === invited.toLowerCase()
  const accept = useMutation({
    mutationFn: () => acceptInvitation({ token }),
    onSuccess: async ({ workspaceId }) => {
      await queryClient.invalidateQueries({ predicate: (query) => !isInvitation(query) })
      await navigate({ to: '/', search: { workspace: workspaceId }, replace: true })
    },
  })
  const leave = useMutation({ mutationFn: signOut, onSuccess: dropDrafts, onSettled: () => queryClient.resetQueries() })
  return (
    <Stack>
      {accept.error && <Failure error={accept.error} />}
      <Text size="sm">
        You are signed in as {email}.{!isMine && ` It is for ${invited}: another account cannot accept it.`}
      </Text>
      {isMine && (
        <Button onClick={() => accept.mutate()} loading={accept.isPending}>
          Join with this account
        </Button>
      )}
      <Button variant={isMine ? 'default' : 'filled'} onClick={() => leave.mutate()} loading={leave.isPending}>
        Use another account
      </Button>
    </Stack>
  )
}

function NewOrKnown({ onJoined }: { onJoined: () => void }) {
  const navigate = useNavigate()
  const place = useLocation()
  const provider = useQuery(visitorQuery).data?.provider
  if (provider?.only)
    return <ProviderButton name={provider.name} variant="filled" next={place.pathname + location.hash} />
  return (
    <Stack>
      <AccountForm button="Create an account and join" onCreated={onJoined} />
      <Alert variant="light" color="gray">
        Already have an account?
        <Button variant="default" size="xs" mt="xs" display="block" onClick={() => void navigate(signInFor(place))}>
          Sign in and join
        </Button>
      </Alert>
    </Stack>
  )
}
