import { Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { ApiError } from '../../api/connection/client.ts'
import { addPasskey, passkeysQuery } from '../../api/passkeys.ts'
import { NameField, PasswordField, SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { inWords } from '../../components/passkeys/device-texts.ts'
import { Failure } from '../../components/states/failure.tsx'
import { browserName } from './browser-name.ts'

/** Has this device, a phone or a security key make a passkey. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient()
  const { asksForPassword } = useSuspenseQuery(passkeysQuery).data
  const initialValues = { name: browserName(navigator.userAgent), currentPassword: '' }
  const form = useForm({ mode: 'uncontrolled', initialValues })
  const submit = async ({ name, currentPassword }: typeof initialValues) => {
    try {
      return await addPasskey({ name, ...(asksForPassword && { currentPassword }) })
    } catch (error) {
      // The sign-in became too old while this was open: now there is a field for the password.
      if (error instanceof ApiError && error.field === 'currentPassword')
        await queryClient.invalidateQueries(passkeysQuery)
      throw inWords(error as Error)
    }
  }
  const { onSubmit, isPending, failure } = useSubmit(form, submit, ({ name }) => {
    notifications.show({ message: `The passkey ${name} is added. You can sign in with it.` })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title="Add a passkey">
      <form onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">
            Your browser then asks where to keep it: on this device, on your phone or on a security key.
          </Text>
          {failure && <Failure error={failure} />}
          <NameField
            description="To recognize it in the list"
            data-autofocus={!asksForPassword}
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          {asksForPassword && (
            <PasswordField
              label="Your password"
              data-autofocus
              key={form.key('currentPassword')}
              {...form.getInputProps('currentPassword')}
            />
          )}
          <SubmitRow label="Continue" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
