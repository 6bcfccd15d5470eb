import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { requestSignUp, visitorQuery } from '../../api/account.ts'
import { EmailForm } from '../../components/forms/email-form.tsx'
import { useLinkToken } from '../../components/hooks/use-link-token.ts'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { NoAccountYet } from '../../components/states/no-account-yet.tsx'
import { LINK_HOURS } from '../../limits.ts'
import { AccountForm } from './account-form.tsx'

/** First the address; then, opened from the link in the mail, name and password. */
export function SignUp() {
  const { data: visitor } = useQuery(visitorQuery)
  const token = useLinkToken()
  if (token) {
    return (
      <NarrowPage title="Create your account">
        <AccountForm button="Create the account" />
      </NarrowPage>
    )
  }
  if (visitor?.hasAccounts === false) return <NoAccountYet />
  if (visitor?.signUp === 'invitation') {
    return (
      <NarrowPage title="By invitation" about="Accounts are by invitation here: ask an admin of a workspace for one.">
        <Anchor component={Link} to="/sign-in">
          Sign in
        </Anchor>
      </NarrowPage>
    )
  }
  const below = (
    <>
      Already have an account?{' '}
      <Anchor component={Link} to="/sign-in">
        Sign in
      </Anchor>
    </>
  )
  return (
    <NarrowPage
      title="Create an account"
      about={`We send a link to your address. It works for ${LINK_HOURS} hours.`}
      below={below}
    >
      <EmailForm send={requestSignUp} button="Send the link" />
    </NarrowPage>
  )
}
