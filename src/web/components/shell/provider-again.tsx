import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { readSession } from '../../api/account.ts'
import { WRAPS } from '../forms/provider-button.tsx'
import { Failure } from '../states/failure.tsx'

type Props = { name: string; variant: 'filled' | 'default'; onSignedIn: (session: Session) => unknown }
type Session = NonNullable<Awaited<ReturnType<typeof readSession>>['session']>

/** Signs in with the identity provider in another tab, so that what was typed here stays, and goes on when this tab is looked at again. */
export function ProviderAgain({ name, variant, onSignedIn }: Props) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => readSession(),
    onSuccess: ({ session }) => session && onSignedIn(session),
  })
  useEffect(() => {
    const look = () => mutate()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [mutate])
  return (
    <Stack>
      {error && <Failure error={error} />}
      <Button {...WRAPS} component="a" href="/sign-in" target="_blank" variant={variant} loading={isPending}>
        Sign in with {name}
      </Button>
      <Text size="xs" c="dimmed">
        It opens in a new tab. Come back to this one when you have signed in.
      </Text>
    </Stack>
  )
}
