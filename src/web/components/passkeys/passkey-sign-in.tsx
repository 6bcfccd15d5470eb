import { Button, Divider, Stack } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../../api/connection/client.ts'
import { askForPasskey, signInWithPasskey } from '../../api/passkeys.ts'
import { Failure } from '../states/failure.tsx'
import { inWords, isStopped } from './device-texts.ts'
import { useAutofill } from './use-autofill.ts'

type SignedIn = Awaited<ReturnType<typeof signInWithPasskey>>

/** Signs in with a passkey: with a button, or from the suggestions of the address field on the same page. */
export default function PasskeySignIn({ onSignedIn }: { onSignedIn: (signedIn: SignedIn) => unknown }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: async (signed?: Awaited<ReturnType<typeof askForPasskey>>) =>
      signInWithPasskey(signed ?? (await askForPasskey({}))),
    onSuccess: onSignedIn,
  })
  // A passkey that was refused is not offered again by itself.
  useAutofill(!isPending && !isSuccess && !(error instanceof ApiError), mutate)
  return (
    <Stack>
      <Divider label="or" />
      {error && !isStopped(error) && <Failure error={inWords(error)} />}
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={isPending}
        onClick={() => mutate(undefined)}
      >
        Sign in with a passkey
      </Button>
    </Stack>
  )
}
