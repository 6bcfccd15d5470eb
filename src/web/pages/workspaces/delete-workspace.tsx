import { Button } from '@mantine/core'
import { deleteWorkspace } from '../../api/workspace.ts'
import { useChangeSearch } from '../../components/hooks/use-change-search.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { useWorkspace } from '../../components/shell/use-workspace.ts'

/** Deletes a workspace. One with webhooks stays: the service says so. */
export function DeleteWorkspace({ workspaceId, name }: { workspaceId: string; name: string }) {
  const change = useChangeSearch()
  const { workspace } = useWorkspace()
  const remove = useConfirmed({
    title: `Delete ${name}?`,
    text: 'Its API keys stop working at once, and its members lose access. Delete its webhooks first. This cannot be undone.',
    button: 'Delete',
    run: () => deleteWorkspace(workspaceId),
    // The router would keep it in the address of every page.
    onDone: () => workspace?.workspaceId === workspaceId && change({ workspace: undefined }),
  })
  return (
    <Button size="xs" variant="subtle" color="red" onClick={remove} aria-label={`Delete ${name}`}>
      Delete
    </Button>
  )
}
