import { Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { changeKey } from '../../api/workspace.ts'
import { SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'
import { NetworksField } from './networks-field.tsx'

type Props = {
  workspace: string
  apiKey: { keyId: string; name: string; networks: string[] }
  onClose: () => void
}

/** Says which networks a key may be used from. */
export function ChangeNetworks({ workspace, apiKey: { keyId, name, networks }, onClose }: Props) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { networks: networks.join('\n') } })
  const submit = (values: { networks: string }) => changeKey(workspace, keyId, values)
  const { onSubmit, isPending, failure } = useSubmit(form, submit, () => {
    notifications.show({ message: `The networks of ${name} are saved.` })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={`Where may ${name} be used from?`}>
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure title="Networks not saved" error={failure} />}
          <NetworksField data-autofocus key={form.key('networks')} {...form.getInputProps('networks')} />
          <Text size="sm" c="dimmed">
            Requests from other addresses are refused within 10 seconds.
          </Text>
          <SubmitRow label="Save" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
