import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { ApiError } from '../../api/connection/client.ts'
import { whenDialogsReady } from '../loading/when-dialogs-ready.ts'

type ConfirmationOptions = {
  title: string
  text: string
  button: string
  /** It can be undone: the button is not red. */
  isHarmless?: boolean
  run: () => Promise<unknown>
  onDone?: () => unknown
}

/**
 * Returns a function that asks before it does what cannot be undone, and says so when it failed. A second click, on the
 * button or in the dialog, does nothing.
 */
export function useConfirmed({
  title,
  text,
  button,
  isHarmless = false,
  run,
  onDone,
}: ConfirmationOptions): () => void {
  const isOpen = useRef(false)
  const { mutate } = useMutation({
    mutationFn: run,
    onSuccess: onDone,
    onError: (error) => {
      // A dialog asks to sign in again.
      if (error instanceof ApiError && error.code === 'unauthorized') return
      notifications.show({ color: 'red', title: failureOf(title), message: error.message })
    },
  })
  const isShown = useIsShown()
  const open = () => {
    let isConfirmed = false
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: button, cancel: 'Cancel' },
      confirmProps: { color: isHarmless ? undefined : 'red' },
      onClose: () => {
        isOpen.current = false
      },
      onConfirm: () => {
        if (isConfirmed) return
        isConfirmed = true
        mutate()
      },
    })
  }
  return () => {
    if (isOpen.current) return
    isOpen.current = true
    whenDialogsReady(() => isShown.current && open())
  }
}

/** `Delete this key?` → `Could not delete this key`. */
const failureOf = (question: string): string =>
  `Could not ${question.charAt(0).toLowerCase()}${question.slice(1).replace(/\?$/, '')}`

/** Whether the page that asks is still there. */
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
