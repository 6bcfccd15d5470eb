import { Alert, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { Failure } from './failure.tsx'
import { EmailField } from './fields.tsx'
import { useSubmit } from './use-submit.ts'

/** Sends a link to an address. What it answers does not show whether someone has an account there. */
export function EmailForm({ send, button }: { send: (given: { email: string }) => Promise<unknown>; button: string }) {
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } })
  const { onSubmit, isPending, failure } = useSubmit(form, send, () => setSentTo(form.getValues().email))
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {failure && <Failure error={failure} />}
        {sentTo !== undefined && (
          <Alert color="teal" title="Check your mailbox" role="status">
            If this service can write to {sentTo}, a mail is on its way. Nothing there after some minutes? Check the
            spam folder. Without a mail server the link is in the terminal of the operator of this service.
          </Alert>
        )}
        <EmailField key={form.key('email')} {...form.getInputProps('email')} />
        <Button type="submit" loading={isPending}>
          {sentTo === undefined ? button : 'Send it again'}
        </Button>
      </Stack>
    </form>
  )
}
