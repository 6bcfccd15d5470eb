import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { startCheck } from '../../api/operator.ts'
import { useWorkspace } from '../../components/shell/use-workspace.ts'
import { useAction } from '../../components/use-action.ts'

/** Operators need not wait for the next round: they start it. It sends whatever is due, of every workspace. */
export function StartRound() {
  const { account } = useWorkspace()
  const { run, isPending } = useAction({
    mutationFn: startCheck,
    onSuccess: () => notifications.show({ message: 'The round starts now, and sends everything that is due.' }),
    onError: ({ message }) => notifications.show({ color: 'red', title: 'The round was not started', message }),
  })
  if (!account.operator) return null
  return (
    <Button size="compact-sm" variant="default" onClick={() => run()} loading={isPending}>
      Start the round now
    </Button>
  )
}
