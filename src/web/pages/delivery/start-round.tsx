import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { startCheck } from '../../api/operator.ts'
import { useAction } from '../../components/hooks/use-action.ts'
import { useWorkspace } from '../../components/shell/use-workspace.ts'

/** Operators need not wait for the next round: they start it. It sends whatever is due, of every workspace. */
export function StartRound() {
  const { account } = useWorkspace()
  const { run, isPending } = useAction({
    mutationFn: startCheck,
    onSuccess: () => notifications.show({ message: 'The delivery run has started and sends everything that is due.' }),
    onError: ({ message }) => notifications.show({ color: 'red', title: 'Delivery run not started', message }),
  })
  if (!account.operator) return null
  return (
    <Button size="compact-sm" variant="default" onClick={() => run()} loading={isPending}>
      Start a delivery run now
    </Button>
  )
}
