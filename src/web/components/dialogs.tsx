import { ModalsProvider } from '@mantine/modals'
import { useEffect } from 'react'
import { setDialogsReady } from './loading/when-dialogs-ready.ts'

/** Where what cannot be undone is confirmed. Loaded after the page: what was asked before that is asked then. */
export default function Dialogs() {
  useEffect(setDialogsReady, [])
  return <ModalsProvider>{null}</ModalsProvider>
}
