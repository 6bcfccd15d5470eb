import { Button } from '@mantine/core'
import { NarrowPage } from '../narrow-page.tsx'

export function NotFound() {
  return (
    <NarrowPage title="Page not found" about="The address may be out of date, or the page was deleted.">
      <Button component="a" href="/">
        Go to home
      </Button>
    </NarrowPage>
  )
}
