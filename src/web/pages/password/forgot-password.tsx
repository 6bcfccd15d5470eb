import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { requestPasswordReset } from '../../api/account.ts'
import { EmailForm } from '../../components/forms/email-form.tsx'
import { NarrowPage } from '../../components/narrow-page.tsx'

export const ForgotPassword = () => (
  <NarrowPage
    title="Reset your password"
    about="We send a link to your address. It works for an hour."
    below={
      <Anchor component={Link} to="/sign-in">
        Back to sign-in
      </Anchor>
    }
  >
    <EmailForm send={requestPasswordReset} button="Send the link" />
  </NarrowPage>
)
