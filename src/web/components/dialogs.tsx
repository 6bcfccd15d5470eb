import { ModalsProvider } from '@mantine/modals'

/** Where what cannot be undone is confirmed. Loaded after the page: it listens for what is asked. */
export default function Dialogs() {
  return <ModalsProvider>{null}</ModalsProvider>
}
