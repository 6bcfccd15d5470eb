import { Alert } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { connection } from '../../api/connection/connection.ts'

/** Says that the service cannot be reached. It goes away with the first answer. */
export function ConnectionNotice() {
  const isLost = useSyncExternalStore(connection.subscribe, connection.isLost)
  return (
    <div role="status" className="stays">
      {isLost && (
        <Alert
          color="yellow"
          icon={<IconPlugConnectedX aria-hidden />}
          title="No connection"
          mb="md"
          maw={1200}
          mx="auto"
        >
          The service cannot be reached. You see the last known state, and nothing you typed is lost. The page continues
          when the connection is back.
        </Alert>
      )}
    </div>
  )
}
