import { Alert, Stack, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { changeEmail } from '../../api/account.ts'
import { EmailField, SubmitRow } from '../../components/forms/fields.tsx'
import { OwnPassword } from '../../components/forms/own-password.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'

/** Changes the address of an account, once the new one was confirmed from its mailbox. */
export function EmailChange() {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', currentPassword: '' } })
  const { onSubmit, isPending, failure } = useSubmit(form, changeEmail, () => {
    setSentTo(form.getValues().email)
    form.reset()
  })
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Title order={2} size="h4">
          E-mail address
        </Title>
        {failure && <Failure title="Address not changed" error={failure} />}
        {sentTo !== undefined && (
          <Alert color="teal" title="Check your inbox" role="status">
            If we can send mail to {sentTo}, a link is on its way. Your address changes when you open it. If this
            service has no mail server, its operator finds the link in the terminal.
          </Alert>
        )}
        <EmailField
          autoComplete="off"
          key={form.key('email')}
          {...form.getInputProps('email')}
          label="New e-mail address"
        />
        <OwnPassword key={form.key('currentPassword')} {...form.getInputProps('currentPassword')} />
        <SubmitRow label="Send confirmation link" variant="default" isPending={isPending} />
      </Stack>
    </form>
  )
}
