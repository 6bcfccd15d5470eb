import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { identitiesQuery } from '../../api/identities.ts'
import { PasswordField } from './fields.tsx'

/** The password that confirms a change; nothing to type for an account without one, whose owner has to have signed in just before. */
export function OwnPassword(props: ComponentProps<typeof PasswordField>) {
  const { data } = useQuery(identitiesQuery)
  if (data?.hasPassword !== false) return <PasswordField label="Your password" {...props} />
  return (
    <Text size="sm" c="dimmed">
      Your account has no password. This works for 10 minutes after you signed in.
    </Text>
  )
}
