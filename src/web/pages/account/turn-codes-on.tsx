import { Button, Code, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { beginTotp, confirmTotp } from '../../api/account.ts'
import { CodeField, SubmitRow } from '../../components/forms/fields.tsx'
import { OwnPassword } from '../../components/forms/own-password.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'
import { CopiedValue, CopyIcon } from '../../components/values/copied-value.tsx'
import { QrCode } from './qr-code.tsx'

/** Turns codes on, in three steps: the password, the app's first code, the recovery codes. */
export function TurnOn({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<Awaited<ReturnType<typeof beginTotp>>>()
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>()
  return (
    <Modal
      opened
      onClose={onClose}
      title="Set up an authenticator app"
      // Recovery codes are shown once: a stray click does not close them.
      closeOnClickOutside={!recoveryCodes}
      closeOnEscape={!recoveryCodes}
    >
      {recoveryCodes ? (
        <RecoveryCodes codes={recoveryCodes} onClose={onClose} />
      ) : secret ? (
        <FirstCode {...secret} onConfirmed={setRecoveryCodes} onCancel={onClose} />
      ) : (
        <Password onSecret={setSecret} onCancel={onClose} />
      )}
    </Modal>
  )
}

type PasswordProps = { onSecret: (secret: { secret: string; uri: string }) => void; onCancel: () => void }

function Password({ onSecret, onCancel }: PasswordProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { currentPassword: '' } })
  const { onSubmit, isPending, failure } = useSubmit(form, beginTotp, onSecret)
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Text size="sm">Have an authenticator app ready, on your phone or in your password manager.</Text>
        {failure && <Failure error={failure} />}
        <OwnPassword data-autofocus key={form.key('currentPassword')} {...form.getInputProps('currentPassword')} />
        <SubmitRow label="Continue" isPending={isPending} onCancel={onCancel} />
      </Stack>
    </form>
  )
}

type FirstCodeProps = { secret: string; uri: string; onConfirmed: (codes: string[]) => void; onCancel: () => void }

function FirstCode({ secret, uri, onConfirmed, onCancel }: FirstCodeProps) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { code: '' } })
  const { onSubmit, isPending, failure } = useSubmit(form, confirmTotp, ({ recoveryCodes }) =>
    onConfirmed(recoveryCodes),
  )
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Text size="sm">Scan this with the app, or type the key below into it.</Text>
        <Group justify="center">
          <QrCode text={uri} label="QR code for your authenticator app" />
        </Group>
        <CopiedValue value={secret} label="the key" />
        {failure && <Failure error={failure} />}
        <CodeField
          label="Code shown by the app"
          description=""
          autoFocus
          key={form.key('code')}
          {...form.getInputProps('code')}
        />
        <SubmitRow label="Turn on" isPending={isPending} onCancel={onCancel} />
      </Stack>
    </form>
  )
}

const RecoveryCodes = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <Stack>
    <Text size="sm">
      You will be asked for a code from now on. Keep these recovery codes where you can find them without your phone.
      Each replaces one code. They are not shown again.
    </Text>
    <SimpleGrid cols={2} spacing="xs">
      {codes.map((code) => (
        <Code key={code}>{code}</Code>
      ))}
    </SimpleGrid>
    <Group justify="flex-end">
      <CopyIcon value={codes.join('\n')} label="all" />
      <Button onClick={onClose}>I have saved them</Button>
    </Group>
  </Stack>
)
