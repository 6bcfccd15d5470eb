import { Badge, Button, Card, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createWorkspace, renameWorkspace } from '../../api/workspace.ts'
import { NameField, SubmitRow } from '../../components/forms/fields.tsx'
import { useSubmit } from '../../components/hooks/use-submit.ts'
import { Page } from '../../components/page.tsx'
import { rememberWorkspace, useWorkspace } from '../../components/shell/use-workspace.ts'
import { Failure } from '../../components/states/failure.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { MAX_NAME_CHARACTERS, MAX_WORKSPACES } from '../../limits.ts'
import { DeleteWorkspace } from './delete-workspace.tsx'

type EditedWorkspace = { workspaceId?: string; name: string }

/** The workspaces that you are a member of. */
export function Workspaces() {
  const { workspaces } = useWorkspace()
  const navigate = useNavigate()
  const [edited, setEdited] = useState<EditedWorkspace>()
  const isFull = workspaces.length >= MAX_WORKSPACES
  const open = (workspaceId: string) => {
    rememberWorkspace(workspaceId)
    void navigate({ to: '/keys', search: { workspace: workspaceId } })
  }
  return (
    <Page
      title="Workspaces"
      about={`A workspace holds webhooks, API keys and members. You can create one while you belong to fewer than ${MAX_WORKSPACES}, including workspaces that invited you.`}
      actions={
        <Button disabled={isFull} onClick={() => setEdited({ name: '' })}>
          Create a workspace
        </Button>
      }
    >
      {edited && <NameForm edited={edited} onClose={() => setEdited(undefined)} />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {workspaces.map(({ workspaceId, name, role, createdAt }) => (
          <Card key={workspaceId} withBorder>
            <Stack gap="xs" h="100%" justify="space-between">
              <div>
                <Group justify="space-between" wrap="nowrap" align="flex-start">
                  <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                    {name}
                  </Text>
                  <Badge variant="light" color="gray">
                    {role}
                  </Badge>
                </Group>
                <Text size="sm" c="dimmed">
                  Created <Moment at={createdAt} />
                </Text>
              </div>
              <Group gap="xs">
                <Button size="xs" onClick={() => open(workspaceId)} aria-label={`Open ${name}`}>
                  Open
                </Button>
                {role === 'admin' && (
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => setEdited({ workspaceId, name })}
                    aria-label={`Rename ${name}`}
                  >
                    Rename
                  </Button>
                )}
                {role === 'admin' && <DeleteWorkspace workspaceId={workspaceId} name={name} />}
              </Group>
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
    </Page>
  )
}

function NameForm({ edited: { workspaceId, name }, onClose }: { edited: EditedWorkspace; onClose: () => void }) {
  const form = useForm({ mode: 'uncontrolled', initialValues: { name } })
  const { onSubmit, isPending, failure } = useSubmit(
    form,
    async (values): Promise<unknown> =>
      workspaceId === undefined ? createWorkspace(values) : renameWorkspace(workspaceId, values),
    onClose,
  )
  return (
    <Modal opened onClose={onClose} title={workspaceId === undefined ? 'Create a workspace' : `Rename ${name}`}>
      <form onSubmit={onSubmit}>
        <Stack>
          {failure && <Failure error={failure} />}
          <NameField
            description={`At most ${MAX_NAME_CHARACTERS} characters.`}
            data-autofocus
            key={form.key('name')}
            {...form.getInputProps('name')}
          />
          <SubmitRow label={workspaceId === undefined ? 'Create' : 'Rename'} isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  )
}
