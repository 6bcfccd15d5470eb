import { Button } from '@mantine/core'
import { deleteWorkspace } from '../../api/workspace.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'

/** Deletes a workspace. One with webhooks stays: the service says so. */
export function DeleteWorkspace({ workspaceId, name }: { workspaceId: string; name: string }) {
  const remove = useConfirmed({
    title: `Delete ${name}?`,
    text: 'Its API keys stop working at once, and its members lose access. Delete its webhooks first. This cannot be undone.',
    button: 'Delete',
    run: () => deleteWorkspace(workspaceId),
  })
  return (
    <Button size="xs" variant="subtle" color="red" onClick={remove} aria-label={`Delete ${name}`}>
      Delete
    </Button>
  )
}
