import { Button, Card, Group, Modal, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { goToLink, type Identity, identitiesQuery, unlinkIdentity } from '../../api/identities.ts'
import { PasswordField, SubmitRow } from '../../components/forms/fields.tsx'
import { OwnPassword } from '../../components/forms/own-password.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'
import { LastUsed } from '../../components/values/last-used.tsx'

/** Who the account is to the identity provider, where the service has one. */
export function Identities() {
  const { data } = useQuery(identitiesQuery)
  const [open, setOpen] = useState<'link' | Identity>()
  if (!data || (!data.provider && data.identities.length === 0)) return null
  const name = data.provider?.name ?? 'Single sign-on'
  const close = () => setOpen(undefined)
  const isLinked = data.identities.length > 0
  return (
    <Card withBorder maw={560}>
      <Stack gap="sm" align="flex-start">
        <Title order={2} size="h4">
          {name}
        </Title>
        {!isLinked && (
          <Text size="sm" c="dimmed">
            Link your account, so that you can sign in with {name}. Your roles then follow your groups there.
          </Text>
        )}
        {data.identities.map((identity) => (
          <Group key={identity.identityId} justify="space-between" w="100%">
            <div>
              <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
                {identity.email ?? identity.issuer}
              </Text>
              <Text size="xs" c="dimmed" component="div">
                Last used <LastUsed at={identity.lastUsedAt} />
              </Text>
            </div>
            {data.mayUnlink && (
              <Button variant="default" size="xs" onClick={() => setOpen(identity)}>
                Unlink
              </Button>
            )}
          </Group>
        ))}
        {!isLinked && (
          <Button variant="default" onClick={() => setOpen('link')}>
            Link {name}
          </Button>
        )}
        {isLinked && !data.mayUnlink && !data.provider?.only && (
          <Text size="sm" c="dimmed">
            It is your only way to sign in. Choose a password or add a passkey to be able to unlink it.
          </Text>
        )}
      </Stack>
      {open === 'link' && <Link name={name} asksForPassword={data.asksForPassword} onClose={close} />}
      {open && open !== 'link' && <Unlink name={name} identity={open} onClose={close} />}
    </Card>
  )
}

function Link({ name, asksForPassword, onClose }: { name: string; asksForPassword: boolean; onClose: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '' } })
  const submit = ({ currentPassword }: { currentPassword: string }) =>
    goToLink(asksForPassword ? { currentPassword } : {})
  const { onSubmit, isPending, failure } = useSubmit(form, submit, () => {})
  return (
    <Modal opened onClose={onClose} title={`Link ${name}?`}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">You sign in at {name} now. Whoever signs in there is linked to this account.</Text>
          {failure && <Failure title="Account not linked" error={failure} />}
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

type UnlinkProps = { name: string; identity: Identity; onClose: () => void }

function Unlink({ name, identity, onClose }: UnlinkProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '' } })
  const submit = (values: { currentPassword: string }) => unlinkIdentity(identity.identityId, values)
  const { onSubmit, isPending, failure } = useSubmit(form, submit, () => {
    notifications.show({ message: `Your account is not linked to ${name} any more.` })
    onClose()
  })
  return (
    <Modal opened onClose={onClose} title={`Unlink ${name}?`}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">You can no longer sign in with it. Roles that your groups gave you stay.</Text>
          {failure && <Failure title="Account not unlinked" error={failure} />}
          <OwnPassword data-autofocus key={form.key('currentPassword')} {...form.getInputProps('currentPassword')} />
          <SubmitRow label="Unlink" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
