import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
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
  const page = useOpenQuestion()
  const open = () => {
    const { title, text, button, isHarmless = false } = question
    let isConfirmed = false
    page.current.asks = modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      labels: { confirm: button, cancel: 'Cancel' },
      confirmProps: { color: isHarmless ? undefined : 'red' },
      onClose: () => {
        page.current.asks = undefined
      },
      onConfirm: () => {
        if (isConfirmed) return
        isConfirmed = true
        mutate(question)
      },
    })
  }
  return () => {
    if (page.current.asks !== undefined) return
    page.current.asks = ''
    whenDialogsReady(() => page.current.isShown && open())
  }
}

/** `Delete this key?` → `Could not delete this key`. */
const failureOf = (question: string): string =>
  `Could not ${question.charAt(0).toLowerCase()}${question.slice(1).replace(/\?$/, '')}`

/** Whether the page that asks is still there, and the dialog it has open: empty until that is loaded. It ends with the page. */
function useOpenQuestion() {
  const page = useRef<{ isShown: boolean; asks: string | undefined }>({ isShown: true, asks: undefined })
  useEffect(() => {
    page.current.isShown = true
    return () => {
      page.current.isShown = false
      if (page.current.asks) modals.close(page.current.asks)
    }
  }, [])
  return page
}
