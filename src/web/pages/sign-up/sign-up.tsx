import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { requestSignUp } from '../../api/account.ts'
import { EmailForm } from '../../components/email-form.tsx'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { LINK_HOURS } from '../../limits.ts'
import { linkToken } from '../../link-token.ts'
import { AccountForm } from './account-form.tsx'

/** First the address; then, opened from the link in the mail, name and password. */
export function SignUp() {
  if (linkToken()) {
    return (
      <NarrowPage title="Create your account">
        <AccountForm button="Create the account" />
      </NarrowPage>
    )
  }
  const below = (
    <>
      You have an account?{' '}
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
