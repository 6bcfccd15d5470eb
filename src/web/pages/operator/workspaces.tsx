import { Button, Modal, NumberInput, Stack, Table, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { changeQuota, type WorkspaceUse, workspaceUsesQuery } from '../../api/operator.ts'
import { DataTable } from '../../components/data-table.tsx'
import { SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Failure } from '../../components/states/failure.tsx'
import { Known } from '../../components/states/known.tsx'
import { LARGEST_QUOTA } from '../../limits.ts'
import { OperatorPage } from './operator-page.tsx'

/** What each workspace has, and may have at most. */
export const OperatorWorkspaces = () => (
  <OperatorPage
    title="Quotas"
    about="What each workspace uses, and may use at most. Without a quota the limits of the service hold."
  >
    {() => <WorkspaceList />}
  </OperatorPage>
)

const PARTS = [
  { name: 'webhooks', label: 'Webhooks' },
  { name: 'apiKeys', label: 'API keys' },
  { name: 'members', label: 'Members' },
  { name: 'requestsPerMinute', label: 'Requests a minute' },
] as const

function WorkspaceList() {
  const query = useQuery(workspaceUsesQuery)
  const { data } = query
  const [changing, setChanging] = useState<WorkspaceUse>()
  return (
    <Known query={query}>
      <DataTable minWidth={680} columns={['Workspace', ...PARTS.map(({ label }) => label)]} actions>
        {data?.workspaces.map((one) => (
          <Table.Tr key={one.workspaceId}>
            <Table.Td fw={500} style={{ overflowWrap: 'anywhere' }}>
              {one.name}
            </Table.Td>
            <Table.Td>{usedOf(one.used.webhooks, one.quota.webhooks)}</Table.Td>
            <Table.Td>{usedOf(one.used.apiKeys, one.quota.apiKeys)}</Table.Td>
            <Table.Td>{usedOf(one.used.members, one.quota.members)}</Table.Td>
            <Table.Td>{one.quota.requestsPerMinute ?? 'no quota'}</Table.Td>
            <Table.Td ta="right">
              <Button
                variant="subtle"
                size="compact-sm"
                onClick={() => setChanging(one)}
                aria-label={`Change the quotas of ${one.name}`}
              >
                Change
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </DataTable>
      {changing && <ChangeQuota workspace={changing} onClose={() => setChanging(undefined)} />}
    </Known>
  )
}

const usedOf = (used: number, most: number | null): string => (most === null ? `${used}` : `${used} of ${most}`)

type Values = Record<(typeof PARTS)[number]['name'], number | string>

function ChangeQuota({ workspace, onClose }: { workspace: WorkspaceUse; onClose: () => void }) {
  const initialValues = Object.fromEntries(PARTS.map(({ name }) => [name, workspace.quota[name] ?? ''])) as Values
  const form = useForm<Values>({ mode: 'uncontrolled', initialValues })
  const submit = (values: Values) =>
    changeQuota(
      workspace.workspaceId,
      Object.fromEntries(PARTS.map(({ name }) => [name, values[name] === '' ? null : Number(values[name])])) as never,
    )
  const { onSubmit, isPending, failure } = useSubmit(form, submit, onClose)
  return (
    <Modal opened onClose={onClose} title={`Quotas of ${workspace.name}`}>
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure title="Quotas not saved" error={failure} />}
          <Text size="sm">Empty: no quota. What the workspace has already stays, also where it is more.</Text>
          {PARTS.map(({ name, label }) => (
            <NumberInput
              key={form.key(name)}
              label={label}
              description={`At most ${LARGEST_QUOTA[name].toLocaleString('en')}`}
              allowDecimal={false}
              allowNegative={false}
              {...form.getInputProps(name)}
            />
          ))}
          <SubmitRow label="Save" isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
