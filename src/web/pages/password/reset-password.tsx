import { Alert, Anchor, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { resetPassword } from '../../api/account.ts'
import { NewPasswordField } from '../../components/forms/fields.tsx'
import { useFirstField } from '../../components/hooks/use-first-field.ts'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { NarrowPage } from '../../components/narrow-page.tsx'
import { Failure } from '../../components/states/failure.tsx'
import { linkToken } from '../../link-token.ts'

/** The page that the link in the mail opens. */
export function ResetPassword() {
  const firstField = useFirstField()
  const [done, setDone] = useState(false)
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } })
  const submit = ({ password }: { password: string }) => resetPassword({ token: linkToken(), password })
  const { onSubmit, isPending, failure } = useSubmit(form, submit, () => setDone(true))
  if (done) {
    return (
      <NarrowPage title="Your password is changed">
        <Alert color="teal" role="status">
          All your sessions have ended. Sign in with the new password.
        </Alert>
        <Button component={Link} to="/sign-in">
          Sign in
        </Button>
      </NarrowPage>
    )
  }
  return (
    <NarrowPage
      title="Choose a new password"
      about="This signs you out everywhere."
      below={
        failure && (
          <Anchor component={Link} to="/forgot-password">
            Send me a new link
          </Anchor>
        )
      }
    >
      <form ref={firstField} onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure title="Password not changed" error={failure} />}
          <NewPasswordField key={form.key('password')} {...form.getInputProps('password')} />
          <Button type="submit" loading={isPending}>
            Change the password
          </Button>
        </Stack>
      </form>
    </NarrowPage>
  )
}
