import { Button } from '@mantine/core'
import { deleteKey } from '../../api/workspace.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'

export function DeleteKey({ workspace, keyId, name }: { workspace: string; keyId: string; name: string }) {
  const ask = useConfirmed({
    title: `Delete the key ${name}?`,
    text: 'Apps using this key lose access at once. This cannot be undone.',
    button: 'Delete the key',
    run: () => deleteKey(workspace, keyId),
  })
  return (
    <Button variant="subtle" color="red" size="compact-sm" onClick={ask} aria-label={`Delete ${name}`}>
      Delete
    </Button>
  )
}
