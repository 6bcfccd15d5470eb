import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'

type Asked = {
  title: string
  text: string
  button: string
  run: () => Promise<unknown>
  onDone: () => unknown
}

/** Returns a function that asks before it does what cannot be undone, and says so when it failed. */
export const useConfirmed =
  ({ title, text, button, run, onDone }: Asked) =>
  (): void => {
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: button, cancel: 'Cancel' },
      confirmProps: { color: 'red' },
      onConfirm: () => {
        run()
          .catch((error: Error) =>
            notifications.show({ color: 'red', title: 'This did not work', message: error.message }),
          )
          .finally(() => onDone())
      },
    })
  }
