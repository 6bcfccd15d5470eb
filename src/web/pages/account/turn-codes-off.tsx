import { Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { turnTotpOff } from '../../api/account.ts'
import { CodeField, SubmitRow } from '../../components/forms/fields.tsx'
import { OwnPassword } from '../../components/forms/own-password.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'

/** Turns codes off, with the password and a code. */
export function TurnOff({ onClose }: { onClose: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '', code: '' } })
  const { onSubmit, isPending, failure } = useSubmit(form, turnTotpOff, () => {
    notifications.show({ message: 'Codes are turned off.' })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title="Turn codes off?">
      <form onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">Your password alone will sign you in. Your recovery codes stop working.</Text>
          {failure && <Failure error={failure} />}
          <OwnPassword data-autofocus key={form.key('currentPassword')} {...form.getInputProps('currentPassword')} />
          <CodeField key={form.key('code')} {...form.getInputProps('code')} />
          <SubmitRow label="Turn off" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
