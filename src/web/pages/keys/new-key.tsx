import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { DAY } from '../../../lib/instant.ts'
import { createKey } from '../../api/workspace.ts'
import { NameField, SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'
import { CopiedValue } from '../../components/values/copied-value.tsx'
import { MAX_NAME_CHARACTERS } from '../../limits.ts'
import { NetworksField } from './networks-field.tsx'

const LIFETIMES = [
  { value: '', label: 'does not expire' },
  { value: '30', label: 'in 30 days' },
  { value: '90', label: 'in 90 days' },
  { value: '365', label: 'in a year' },
]
type Values = { name: string; days: string; networks: string }

type Props = { workspace: string; opened: boolean; onClose: () => void }

/** Creates a key, then shows its full value this once, with a request that works when it is pasted. */
export function NewKey({ workspace, opened, onClose }: Props) {
  const [value, setValue] = useState<string>()
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues: { name: '', days: '', networks: '' } })
  const submit = ({ name, days, networks }: Values) => {
    const expiresAt = days === '' ? undefined : new Date(Date.now() + Number(days) * DAY).toISOString()
    return createKey(workspace, { name, networks, ...(expiresAt && { expiresAt }) })
  }
  const { onSubmit, isPending, failure } = useSubmit(form, submit, ({ key }) => setValue(key.key))
  const close = () => {
    onClose()
    form.reset()
    setValue(undefined)
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={value ? 'Your new key' : 'Create an API key'}
      size="lg"
      // It is shown once: neither a stray click nor a key closes it.
      closeOnClickOutside={!value}
      closeOnEscape={!value}
    >
      {value ? (
        <ShownOnce value={value} onClose={close} />
      ) : (
        <form onSubmit={onSubmit}>
          <Stack>
            {failure && <Failure title="API key not created" error={failure} />}
            <NameField
              description={`What will use it, for example: cost report, production. At most ${MAX_NAME_CHARACTERS} characters.`}
              data-autofocus
              key={form.key('name')}
              {...form.getInputProps('name')}
            />
            <Select
              label="Expires"
              data={LIFETIMES}
              allowDeselect={false}
              key={form.key('days')}
              {...form.getInputProps('days')}
            />
            <NetworksField key={form.key('networks')} {...form.getInputProps('networks')} />
            <SubmitRow label="Create the key" isPending={isPending} onCancel={close} />
          </Stack>
        </form>
      )}
    </Modal>
  )
}

function ShownOnce({ value, onClose }: { value: string; onClose: () => void }) {
  const request = `curl -H 'Authorization: Bearer ${value}' \\\n  '${location.origin}/v1/prices/history?providers=openai&limit=3'`
  return (
    <Stack>
      <Alert color="yellow" title="Copy it now">
        We store only a hash. It cannot be shown again.
      </Alert>
      <CopiedValue value={value} label="the key" />
      <Text size="sm" fw={500}>
        Try it
      </Text>
      <CopiedValue value={request} label="the request" />
      <Group justify="flex-end">
        <Button onClick={onClose}>I have copied it</Button>
      </Group>
    </Stack>
  )
}
