import { Anchor, Button, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CodeField, EmailField, PasswordField } from '../../components/forms/fields.tsx'
import { useFirstField } from '../../components/hooks/use-first-field.ts'
import { useSignIn } from '../../components/hooks/use-sign-in.ts'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'

/** Signs in with an address, its password, and a code where the account asks for one. */
export function PasswordSignIn({ onSignedIn }: { onSignedIn: () => unknown }) {
  const firstField = useFirstField()
  const { form, asksForCode, submit, shown } = useSignIn()
  const { onSubmit, isPending, failure } = useSubmit(form, submit, onSignedIn)
  return (
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
  )
}
