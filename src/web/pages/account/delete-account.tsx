import { Button, Modal, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useDisclosure } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { deleteAccount } from '../../api/account.ts'
import { forgetSession } from '../../api/connection/forget-session.ts'
import { sessionEnded } from '../../api/connection/session-ended.ts'
import { SubmitRow } from '../../components/forms/fields.tsx'
import { OwnPassword } from '../../components/forms/own-password.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'

/** Deletes the account, after its password was given. */
export function DeleteAccount() {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <Stack align="flex-start">
      <Title order={2} size="h4">
        Delete the account
      </Title>
      <Text size="sm">
        You leave every workspace. Webhooks and API keys that you created stay there and keep working.
      </Text>
      <Button variant="default" onClick={open}>
        Delete my account
      </Button>
      {isOpen && <DeleteDialog onClose={close} />}
    </Stack>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '' } })
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    (values) => sessionEnded.leave(() => deleteAccount(values)),
    async () => {
      await navigate({ to: '/sign-in' })
      forgetSession(queryClient)
    },
  )
  return (
    <Modal opened onClose={onClose} title="Delete your account?">
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure title="Account not deleted" error={failure} />}
          <Text size="sm">This cannot be undone. You are signed out everywhere at once.</Text>
          <OwnPassword data-autofocus key={form.key('currentPassword')} {...form.getInputProps('currentPassword')} />
          <SubmitRow label="Delete my account" color="red" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
