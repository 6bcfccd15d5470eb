import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { missingPart } from '../../api/connection/missing-part.ts'

/** Says that a part of the app could not be loaded. When to load the page again is for who types on it to decide. */
export function MissingPartNotice() {
  const isMissing = useSyncExternalStore(missingPart.subscribe, missingPart.is)
  return (
    <div role="status" className="stays">
      {isMissing && (
        <Alert
          color="yellow"
          icon={<IconRefresh aria-hidden />}
          title="A part of this app is missing"
          mb="md"
          maw={1200}
          mx="auto"
        >
          <Stack gap="xs" align="flex-start">
            <Text size="sm">
              A newer version was probably installed since this page was opened. Finish what you type, then load the
              page again.
            </Text>
            <Button size="xs" variant="default" onClick={() => location.reload()}>
              Load the page again
            </Button>
          </Stack>
        </Alert>
      )}
    </div>
  )
}
