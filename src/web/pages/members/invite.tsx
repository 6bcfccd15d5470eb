import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { type Role, sendInvitation } from '../../api/workspace.ts'
import { EmailField, SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'
import { CopiedValue } from '../../components/values/copied-value.tsx'
import { INVITATION_DAYS, MAX_INVITATIONS_PER_DAY } from '../../limits.ts'

const ROLES = [
  { value: 'member', label: 'Member: webhooks and API keys' },
  { value: 'admin', label: 'Admin: also manages people' },
]

type Props = { workspace: string; opened: boolean; onClose: () => void }

/** Invites someone by mail. Without a mail server the link is shown here, for the admin to pass on. */
export function Invite({ workspace, opened, onClose }: Props) {
  const [sent, setSent] = useState<{ email: string; link?: string }>()
  const form = useForm<{ email: string; role: Role }>({
    mode: 'uncontrolled',
    initialValues: { email: '', role: 'member' },
  })
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    (values) => sendInvitation(workspace, values),
    ({ invitation }) => setSent(invitation),
  )
  const close = () => {
    onClose()
    form.reset()
    setSent(undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={sent ? 'Invited' : 'Invite people'}
      size="lg"
      // A link is shown once: neither a stray click nor a key closes it.
      closeOnClickOutside={!sent?.link}
      closeOnEscape={!sent?.link}
    >
      {sent ? (
        <Stack>
          {sent.link ? (
            <>
              <Alert color="yellow">
                No mail server is set: send this link to {sent.email} yourself. It is shown only once and works for{' '}
                {INVITATION_DAYS} days.
              </Alert>
              <CopiedValue value={sent.link} label="the link" />
            </>
          ) : (
            <Text>
              An e-mail with a link is on its way to {sent.email}. The link works for {INVITATION_DAYS} days.
            </Text>
          )}
          <Group justify="flex-end">
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <form onSubmit={onSubmit}>
          <Stack>
            {failure && <Failure title="Invitation not sent" error={failure} />}
            <Text size="sm" c="dimmed">
              A workspace can send {MAX_INVITATIONS_PER_DAY} invitations in any 24 hours, including withdrawn ones.
            </Text>
            <EmailField autoComplete="off" data-autofocus key={form.key('email')} {...form.getInputProps('email')} />
            <Select
              label="Role"
              data={ROLES}
              allowDeselect={false}
              key={form.key('role')}
              {...form.getInputProps('role')}
            />
            <SubmitRow label="Invite" isPending={isPending} onCancel={close} />
          </Stack>
        </form>
      )}
    </Modal>
  )
}
