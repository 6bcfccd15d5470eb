import { Badge, Button, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { usePageData } from '../../api/use-page-data.ts'
import { keysQuery } from '../../api/workspace.ts'
import { DataTable } from '../../components/data-table.tsx'
import { Page } from '../../components/page.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { Empty } from '../../components/states/empty.tsx'
import { LastUsed } from '../../components/values/last-used.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { ChangeNetworks } from './change-networks.tsx'
import { DeleteKey } from './delete-key.tsx'
import { NewKey } from './new-key.tsx'

/** The API keys of the workspace: by their last characters, because the full value is shown once. */
export function Keys() {
  const { workspaceId } = useWorkspace().workspace!
  const { keys, most } = usePageData(keysQuery(workspaceId)).data ?? {}
  const [isCreating, setCreating] = useState(false)
  const isFull = keys !== undefined && keys.length >= most!
  const create = (
    <Button disabled={!keys || isFull} onClick={() => setCreating(true)}>
      Create a key
    </Button>
  )
  return (
    <Page
      title="API keys"
      about={`For programs that read prices. Keys are read-only. They belong to the workspace and keep working when the person who created them leaves. ${keys?.length ?? '…'} of ${most ?? '…'} are in use.${isFull ? ' Delete one to create another.' : ''}`}
      actions={keys?.length !== 0 && create}
    >
      <NewKey workspace={workspaceId} opened={isCreating} onClose={() => setCreating(false)} />
      {keys?.length === 0 ? (
        <Empty title="No keys yet" action={create}>
          Create one, and read every price with one request.
        </Empty>
      ) : (
        <KeyTable workspace={workspaceId} keys={keys} />
      )}
    </Page>
  )
}

type Key = {
  keyId: string
  name: string
  lastCharacters: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  networks: string[]
}

function KeyTable({ workspace, keys }: { workspace: string; keys: Key[] | undefined }) {
  const [changing, setChanging] = useState<Key>()
  return (
    <>
      <DataTable minWidth={820} columns={['Name', 'Key', 'Created', 'Last used', 'Expires', 'From']} actions>
        {keys?.map((key) => (
          <Table.Tr key={key.keyId}>
            <Table.Td fw={500} style={{ overflowWrap: 'anywhere' }}>
              {key.name}
            </Table.Td>
            <Table.Td ff="monospace" style={{ whiteSpace: 'nowrap' }}>
              …{key.lastCharacters}
            </Table.Td>
            <Table.Td>
              <Moment at={key.createdAt} />
            </Table.Td>
            <Table.Td>
              <LastUsed at={key.lastUsedAt} />
            </Table.Td>
            <Table.Td>
              <Expiry at={key.expiresAt} />
            </Table.Td>
            <Table.Td>
              <Networks networks={key.networks} />
            </Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => setChanging(key)}
                aria-label={`Networks of ${key.name}`}
              >
                Networks
              </Button>
              <DeleteKey workspace={workspace} keyId={key.keyId} name={key.name} />
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {changing && <ChangeNetworks workspace={workspace} apiKey={changing} onClose={() => setChanging(undefined)} />}
    </>
  )
}

/** A few are named, more are counted. */
const Networks = ({ networks }: { networks: string[] }) =>
  networks.length === 0 ? (
    <Text c="dimmed" inherit>
      everywhere
    </Text>
  ) : (
    <Text inherit title={networks.join(', ')}>
      {networks.length === 1 ? networks[0] : `${networks.length} networks`}
    </Text>
  )

function Expiry({ at }: { at: string | null }) {
  if (at === null)
    return (
      <Text c="dimmed" inherit style={{ whiteSpace: 'nowrap' }}>
        does not expire
      </Text>
    )
  return Date.parse(at) <= Date.now() ? (
    <Badge color="red" variant="light">
      expired
    </Badge>
  ) : (
    <Moment at={at} />
  )
}
