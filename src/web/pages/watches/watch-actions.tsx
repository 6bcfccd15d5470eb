import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { deleteWatch, editWatch, type Watch } from '../../api/watches.ts'
import { useAction } from '../../components/hooks/use-action.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { subjectOf } from './watch-texts.ts'

/** What can be done about a watch. */
export function WatchActions({ watch }: { watch: Watch }) {
  const { watchId, provider, resource, document, group, pausedAt } = watch
  const navigate = useNavigate()
  const isPaused = pausedAt !== null
  const pause = useAction({
    mutationFn: () => editWatch(watchId, { paused: !isPaused }),
    onError: ({ message }) => notifications.show({ color: 'red', title: 'The watch is as it was', message }),
  })
  const remove = useConfirmed({
    title: `Stop watching ${subjectOf(watch)}?`,
    text: 'No more mails about it are sent.',
    button: 'Stop watching',
    run: () => deleteWatch(watchId),
  })
  const about = { provider, resource, document, group: group?.id }
  const edit = () => void navigate({ to: '/account/watch', search: about as never })
  return (
    <Menu position="bottom-end" shadow="md" width={180}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Actions for ${subjectOf(watch)}`}
          loading={pause.isPending}
        >
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={edit}>Edit</Menu.Item>
        <Menu.Item onClick={() => pause.run()}>{isPaused ? 'Resume' : 'Pause'}</Menu.Item>
        <Menu.Item color="red" onClick={remove}>
          Stop watching
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
