import { Text } from '@mantine/core'
import { Moment } from './moment.tsx'

/** When something was used last, in a table. */
export const LastUsed = ({ at }: { at: string | null }) =>
  at ? (
    <Moment at={at} />
  ) : (
    <Text c="dimmed" inherit>
      never
    </Text>
  )
