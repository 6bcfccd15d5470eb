import { ActionIcon, Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconPlayerPause, IconPlayerPlay, IconSend, IconTrash } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  testWebhook,
  type Webhook,
  webhooksQuery,
} from '../../api/webhooks.ts'
import { useAction } from '../../components/hooks/use-action.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { LOG_DAYS } from '../../limits.ts'
import { clockTime, roundAfter } from '../delivery/next-round.ts'
import { resumedText } from './resumed-text.ts'

const failed =
  (title: string) =>
  ({ message }: Error) =>
    notifications.show({ color: 'red', title, message })
const ICON = { size: 16, 'aria-hidden': true }

type Props = { webhook: Webhook; onDeleted: () => void }

/** Test, pause or resume, delete. */
export function WebhookActions({ webhook: { id, name, state, workspaceId }, onDeleted }: Props) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const test = useAction({
    mutationFn: () => testWebhook(id),
    onSuccess: ({ deliveryId }) => {
      const round = clockTime(roundAfter(0, Date.now()))
      notifications.show({
        message: `A signed test goes out in the delivery run at ${round}. Runs start every five minutes.`,
      })
      void navigate({
        to: '/webhooks/$webhookId/deliveries/$deliveryId',
        params: { webhookId: id, deliveryId },
        search: { workspace: workspaceId },
      } as never)
    },
    onError: failed('Test not sent'),
  })
  const pause = useConfirmed({
    title: `Pause ${name}?`,
    text: `Nothing is sent until you resume it. Deliveries due in the meantime are kept for ${LOG_DAYS} days.`,
    button: 'Pause',
    isHarmless: true,
    run: () => pauseWebhook(id),
  })
  const resume = useAction({
    mutationFn: (resend: boolean) => resumeWebhook(id, resend),
    onSuccess: ({ resent }) => notifications.show({ message: resumedText(resent) }),
    onError: failed('Webhook not resumed'),
  })
  const remove = useConfirmed({
    title: `Delete ${name}?`,
    text: 'Its log and secret are deleted too, and pending deliveries are not sent. This cannot be undone.',
    button: 'Delete the webhook',
    run: () => deleteWebhook(id),
    onDone: async () => {
      onDeleted()
      queryClient.setQueryData(
        webhooksQuery(workspaceId).queryKey,
        (listed) => listed && { ...listed, webhooks: listed.webhooks.filter((webhook) => webhook.id !== id) },
      )
      notifications.show({ message: `${name} is deleted.` })
      await navigate({ to: '/webhooks', search: { workspace: workspaceId } } as never)
      // Not before: a page that is still shown would ask for what is removed.
      queryClient.removeQueries({ queryKey: ['webhook', id] })
    },
  })
  return (
    <>
      {state === 'active' ? (
        <Button
          variant="default"
          leftSection={<IconSend {...ICON} />}
          onClick={() => test.run()}
          loading={test.isPending}
        >
          Send a test
        </Button>
      ) : (
        <>
          <Button
            leftSection={<IconPlayerPlay {...ICON} />}
            onClick={() => resume.run(true)}
            loading={resume.isPending}
          >
            Resume and resend
          </Button>
          <Button variant="default" onClick={() => resume.run(false)} loading={resume.isPending}>
            Resume
          </Button>
        </>
      )}
      <Menu position="bottom-end" shadow="md" width={200}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {state === 'active' && (
            <Menu.Item leftSection={<IconPlayerPause {...ICON} />} onClick={pause}>
              Pause
            </Menu.Item>
          )}
          <Menu.Item color="red" leftSection={<IconTrash {...ICON} />} onClick={remove}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}
