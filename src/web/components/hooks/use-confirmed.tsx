import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../api/connection/client.ts'
import { whenDialogsReady } from '../loading/when-dialogs-ready.ts'

type Confirmation = {
  title: string
  text: string
  button: string
  /** It can be undone: the button is not red. */
  isHarmless?: boolean
  run: () => Promise<unknown>
  onDone?: () => unknown
}

/**
 * Returns a function that asks before it does what cannot be undone, and says so when it failed. What is done is what was
 * asked, whatever the page shows by then. A second click, on the button or in the dialog, does nothing.
 */
export function useConfirmed(question: Confirmation): () => void {
  const { mutate } = useMutation({
    mutationFn: ({ run }: Confirmation) => run(),
    onSuccess: (_, { onDone }) => onDone?.(),
    onError: (error, { title }) => {
      // A dialog asks to sign in again.
      if (error instanceof ApiError && error.code === 'unauthorized') return
      notifications.show({ color: 'red', title: failureOf(title), message: error.message })
    },
  })
  const router = useRouter()
  const isShown = useIsShown()
  const isOpen = useRef(false)
  const open = () => {
    const { title, text, button, isHarmless = false } = question
    let isConfirmed = false
    const id = modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: button, cancel: 'Cancel' },
      confirmProps: { color: isHarmless ? undefined : 'red' },
      onClose: () => {
        isOpen.current = false
        stop()
      },
      onConfirm: () => {
        if (isConfirmed) return
        isConfirmed = true
        mutate(question)
      },
    })
    const stop = router.subscribe('onBeforeLoad', (change) => {
      if (isElsewhere(change)) modals.close(id)
    })
  }
  return () => {
    if (isOpen.current) return
    isOpen.current = true
    whenDialogsReady(() => isShown.current && open())
  }
}

type Place = { pathname: string; search: { workspace?: string } }

/** Whether another page, or that of another workspace, is opened: a question ends with its page. */
const isElsewhere = ({ fromLocation: from, toLocation: to }: { fromLocation?: Place; toLocation: Place }): boolean =>
  from?.pathname !== to.pathname || from.search.workspace !== to.search.workspace

/** `Delete this key?` → `Could not delete this key`. */
const failureOf = (question: string): string =>
  `Could not ${question.charAt(0).toLowerCase()}${question.slice(1).replace(/\?$/, '')}`

/** Whether what asks is still there: until the dialogs are loaded it may go. */
function useIsShown() {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  return isShown
}
