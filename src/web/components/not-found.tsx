import { Button } from '@mantine/core'
import { Empty } from './empty.tsx'

export function NotFound() {
  return (
    <Empty
      title="There is no such page"
      action={
        <Button component="a" href="/">
          Go to the start
        </Button>
      }
    >
      The address may be old, or what it showed was deleted.
    </Empty>
  )
}
