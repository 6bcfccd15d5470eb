import { ActionIcon, Menu, Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { type Passkey, removePasskey, renamePasskey } from '../../api/passkeys.ts'
import { NameField, SubmitRow } from '../../components/forms/fields.tsx'
import { OwnPassword } from '../../components/forms/own-password.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'

type Props = { passkey: Passkey }
type DialogProps = Props & { onClose: () => void }

/** What can be done about a passkey. */
export function PasskeyActions({ passkey }: Props) {
  const [open, setOpen] = useState<'rename' | 'remove'>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={160}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${passkey.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('rename')}>Rename</Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen('remove')}>
            Remove
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'rename' && <Rename passkey={passkey} onClose={close} />}
      {open === 'remove' && <Remove passkey={passkey} onClose={close} />}
    </>
  )
}

function Rename({ passkey: { passkeyId, name }, onClose }: DialogProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name } })
  const submit = (values: { name: string }) => renamePasskey(passkeyId, values)
  const { onSubmit, isPending, failure } = useSubmit(form, submit, onClose)
  return (
    <Modal opened onClose={onClose} title="Rename the passkey">
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure error={failure} />}
          <NameField data-autofocus key={form.key('name')} {...form.getInputProps('name')} />
          <SubmitRow label="Save" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}

function Remove({ passkey: { passkeyId, name }, onClose }: DialogProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '' } })
  const submit = (values: { currentPassword: string }) => removePasskey(passkeyId, values)
  const { onSubmit, isPending, failure } = useSubmit(form, submit, () => {
    notifications.show({ message: `The passkey ${name} is removed.` })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={`Remove ${name}?`}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">
            You can no longer sign in with it. Sessions it started stay: end them under Sessions. Remove it from your
            device too, in the device's settings.
          </Text>
          {failure && <Failure error={failure} />}
          <OwnPassword data-autofocus key={form.key('currentPassword')} {...form.getInputProps('currentPassword')} />
          <SubmitRow label="Remove" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
