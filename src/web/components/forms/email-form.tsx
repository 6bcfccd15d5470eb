import { Alert, Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useFirstField } from '../hooks/use-first-field.ts'
import { useSubmit } from '../hooks/use-submit.ts'
import { Failure } from '../states/failure.tsx'
import { EmailField } from './fields.tsx'

/** Sends a link to an address. What it answers does not show whether someone has an account there. */
export function EmailForm({ send, button }: { send: (given: { email: string }) => Promise<unknown>; button: string }) {
  const [sentTo, setSentTo] = useState<string>()
  const firstField = useFirstField()
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } })
  const { onSubmit, isPending, failure } = useSubmit(form, send, () => setSentTo(form.getValues().email))
  return (
    <form ref={firstField} onSubmit={onSubmit}>
      <Stack>
        {failure && <Failure error={failure} />}
        {sentTo !== undefined && (
          <Alert color="teal" title="Check your inbox" role="status">
            If we can send mail to {sentTo}, a link is on its way. Check your spam folder too. If this service has no
            mail server, its operator finds the link in the terminal.
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
