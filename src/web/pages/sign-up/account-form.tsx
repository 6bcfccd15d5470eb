import { Button, Stack } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { createAccount } from '../../api/account.ts'
import { isInvitation } from '../../api/workspace.ts'
import { EmailField, NameField, NewPasswordField } from '../../components/forms/fields.tsx'
import { useFirstField } from '../../components/hooks/use-first-field.ts'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'
import { linkToken } from '../../link-token.ts'

const WITH_EMAIL = { name: '', email: '', password: '' }
const WITHOUT_EMAIL = { name: '', password: '' }
type Values = { name: string; email?: string; password: string }

type Props = { asksEmail?: boolean; button: string; onCreated?: () => void }

/** Name and password of a new account. Its address is that of the link, except for the first account's. */
export function AccountForm({ asksEmail = false, button, onCreated }: Props) {
  const firstField = useFirstField()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const initialValues: Values = asksEmail ? WITH_EMAIL : WITHOUT_EMAIL
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues })
  const submit = (values: Values) => createAccount({ token: linkToken(), ...values })
  const { onSubmit, isPending, failure } = useSubmit(form, submit, async () => {
    onCreated?.()
    queryClient.removeQueries({ predicate: (query) => !isInvitation(query) })
    await navigate({ to: '/', replace: true })
  })
  return (
    <form ref={firstField} onSubmit={onSubmit}>
      <Stack>
        {failure && <Failure title="Account not created" error={failure} />}
        <NameField label="Your name" autoComplete="name" key={form.key('name')} {...form.getInputProps('name')} />
        {asksEmail && <EmailField key={form.key('email')} {...form.getInputProps('email')} />}
        <NewPasswordField label="Password" key={form.key('password')} {...form.getInputProps('password')} />
        <Button type="submit" loading={isPending}>
          {button}
        </Button>
      </Stack>
    </form>
  )
}
