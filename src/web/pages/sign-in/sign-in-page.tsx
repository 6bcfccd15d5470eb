import { Anchor, Divider, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { visitorQuery } from '../../api/account.ts'
import { sessionEnded } from '../../api/connection/session-ended.ts'
import { ProviderButton } from '../../components/forms/provider-button.tsx'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { PasskeyPart } from '../../components/passkeys/passkey-part.tsx'
import { NoAccountYet } from '../../components/states/no-account-yet.tsx'
import { afterSignIn } from '../../search.ts'
import { PasswordSignIn } from './password-sign-in.tsx'

const route = getRouteApi('/sign-in')

/** Sign in, and go on to the page that was requested. */
export function SignIn() {
  const { next } = route.useSearch()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: visitor } = useQuery(visitorQuery)
  const target = () => afterSignIn(next, location.hash)
  const goOn = async () => {
    sessionEnded.signedIn()
    queryClient.clear()
    await navigate({ href: target(), replace: true })
  }
  const provider = visitor?.provider
  const button = provider && (
    <ProviderButton name={provider.name} variant={provider.only ? 'filled' : 'default'} next={target()} />
  )
  if (visitor?.hasAccounts === false) return <NoAccountYet>{button}</NoAccountYet>
  if (provider?.only)
    return (
      <NarrowPage title="Sign in" about={`You sign in to this service with ${provider.name}.`}>
        {button}
      </NarrowPage>
    )
  return (
    <NarrowPage title="Sign in" below={visitor && <HowToGetOne signUp={visitor.signUp} />}>
      {button && (
        <Stack>
          {button}
          <Divider label="or" />
        </Stack>
      )}
      <PasswordSignIn onSignedIn={goOn} />
      <PasskeyPart onSignedIn={goOn} />
    </NarrowPage>
  )
}

const HowToGetOne = ({ signUp }: { signUp: 'open' | 'invitation' }) => (
  <>
    No account?{' '}
    {signUp === 'open' ? (
      <Anchor component={Link} to="/sign-up">
        Create one
      </Anchor>
    ) : (
      'Accounts are by invitation here: ask an admin of a workspace for one.'
    )}
  </>
)
