import { Notifications } from '@mantine/notifications'

/** What was done or failed, in a corner. Loaded after the page. */
export default function Corner() {
  return <Notifications position="bottom-right" />
}
