import { Badge, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Passkey, passkeysQuery } from '../../api/passkeys.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Placeholder } from '../../components/loading/skeletons.tsx'
import { passkeysWorkHere } from '../../components/passkeys/device-texts.ts'
import { Failure } from '../../components/states/failure.tsx'
import { LastUsed } from '../../components/values/last-used.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { MAX_PASSKEYS } from '../../limits.ts'
import { AddPasskey } from './add-passkey.tsx'
import { PasskeyActions } from './passkey-actions.tsx'

/** Passkeys: which there are, and the way to add, rename and remove them. */
export function Passkeys() {
  const { data, error, refetch } = useQuery(passkeysQuery)
  const [isAdding, setAdding] = useState(false)
  if (data?.offered === 'turned_off' && data.passkeys.length === 0) return null
  const isHere = data !== undefined && passkeysWorkHere(data.host)
  return (
    <Stack gap="xs" component="section">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Passkeys
        </Title>
        {isHere && (
          <Button
            variant="default"
            size="xs"
            disabled={data.passkeys.length >= MAX_PASSKEYS}
            onClick={() => setAdding(true)}
          >
            Add a passkey
          </Button>
        )}
      </Group>
      {error && <Failure error={error} retry={() => void refetch()} />}
      <Text size="sm" c="dimmed" maw={560}>
        Sign in with your fingerprint, your face or a PIN instead of your password and a code.{' '}
        {data && (isHere ? count(data.passkeys.length) : whyNot(data))}
      </Text>
      {!data && !error && <Placeholder height={80} />}
      {data && data.passkeys.length > 0 && <PasskeyTable passkeys={data.passkeys} />}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
    </Stack>
  )
}

const count = (passkeys: number): string =>
  passkeys === 0 ? 'You have none yet.' : `You have ${passkeys} of at most ${MAX_PASSKEYS}.`

/** Says why none can be added here. */
function whyNot({ offered, host }: { offered: string; host: string | null }): string {
  if (offered === 'turned_off') return 'The operator of this service turned passkeys off. These cannot sign you in now.'
  if (offered === 'needs_https')
    return 'They need HTTPS and a host name, which this service does not have yet: its operator can set PRICETAPE_PUBLIC_URL.'
  if (host !== location.hostname) return `They work only at ${host}: open this page there.`
  return 'This browser does not support passkeys: use a newer one.'
}

const PasskeyTable = ({ passkeys }: { passkeys: Passkey[] }) => (
  <DataTable minWidth={560} columns={['Name', 'Added', 'Last used']} actions>
    {passkeys.map((passkey) => (
      <Table.Tr key={passkey.passkeyId}>
        <Table.Td style={{ overflowWrap: 'anywhere' }} maw={360}>
          <Group gap="xs">
            <Text size="sm" fw={500}>
              {passkey.name}
            </Text>
            <Badge variant="light" color={passkey.synced ? undefined : 'gray'} tt="none">
              {passkey.synced ? 'synced' : 'on one device'}
            </Badge>
          </Group>
        </Table.Td>
        <Table.Td>
          <Moment at={passkey.createdAt} />
        </Table.Td>
        <Table.Td>
          <LastUsed at={passkey.lastUsedAt} />
        </Table.Td>
        <Table.Td ta="right">
          <PasskeyActions passkey={passkey} />
        </Table.Td>
      </Table.Tr>
    ))}
  </DataTable>
)
