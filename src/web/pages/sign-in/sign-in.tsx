import { Anchor, Button, Stack } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { visitorQuery } from '../../api/account.ts'
import { sessionEnded } from '../../api/connection/session-ended.ts'
import { CodeField, EmailField, PasswordField } from '../../components/forms/fields.tsx'
import { useFirstField } from '../../components/hooks/use-first-field.ts'
import { useSignIn } from '../../components/hooks/use-sign-in.ts'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { PasskeyPart } from '../../components/passkeys/passkey-part.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { NoAccountYet } from '../../components/states/no-account-yet.tsx'
import { afterSignIn } from '../../search.ts'

const route = getRouteApi('/sign-in')

/** Sign in, and go on to the page that was requested. */
export function SignIn() {
  const { next } = route.useSearch()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: visitor } = useQuery(visitorQuery)
  const firstField = useFirstField()
  const { form, asksForCode, submit, shown } = useSignIn()
  const goOn = async () => {
    sessionEnded.signedIn()
    queryClient.clear()
    await navigate({ href: afterSignIn(next, location.hash), replace: true })
  }
  const { onSubmit, isPending, failure } = useSubmit(form, submit, goOn)
  if (visitor?.hasAccounts === false) return <NoAccountYet />
  return (
    <NarrowPage
      title="Sign in"
      below={
        visitor && (
          <>
            No account?{' '}
            {visitor.signUp === 'open' ? (
              <Anchor component={Link} to="/sign-up">
                Create one
              </Anchor>
            ) : (
              'Accounts are by invitation here: ask an admin of a workspace for one.'
            )}
          </>
        )
      }
    >
      <form ref={firstField} onSubmit={onSubmit}>
        <Stack>
          {shown(failure) && <Failure title="Not signed in" error={shown(failure)!} />}
          <EmailField autoComplete="username webauthn" key={form.key('email')} {...form.getInputProps('email')} />
          <PasswordField key={form.key('password')} {...form.getInputProps('password')} />
          {asksForCode && <CodeField autoFocus key={form.key('code')} {...form.getInputProps('code')} />}
          <Button type="submit" loading={isPending}>
            Sign in
          </Button>
          <Anchor component={Link} to="/forgot-password" size="sm" ta="center">
            Forgot your password?
          </Anchor>
        </Stack>
      </form>
      <PasskeyPart onSignedIn={goOn} />
    </NarrowPage>
  )
}
