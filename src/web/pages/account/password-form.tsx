import { Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { changePassword } from '../../api/account.ts'
import { NewPasswordField, SubmitRow } from '../../components/forms/fields.tsx'
import { OwnPassword } from '../../components/forms/own-password.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'

/** Changes the password, which ends every other session. */
export function PasswordForm({ email }: { email: string }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '', password: '' } })
  const { onSubmit, isPending, failure } = useSubmit(form, changePassword, () => {
    form.reset()
    notifications.show({ message: 'Password changed. All other sessions have ended.' })
  })
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Title order={2} size="h4">
          Password
        </Title>
        {failure && <Failure title="Password not changed" error={failure} />}
        {/* Password managers look for the account that a password is of. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <OwnPassword
          label="Current password"
          key={form.key('currentPassword')}
          {...form.getInputProps('currentPassword')}
        />
        <NewPasswordField key={form.key('password')} {...form.getInputProps('password')} />
        <SubmitRow label="Change the password" variant="default" isPending={isPending} />
      </Stack>
    </form>
  )
}
