import { Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { visitorQuery } from '../../api/account.ts'
import { sessionEnded } from '../../api/connection/session-ended.ts'
import { unsent } from '../../api/connection/unsent.ts'
import { CodeField, EmailField, PasswordField, SubmitRow } from '../forms/fields.tsx'
import { useSignIn } from '../hooks/use-sign-in.ts'
import { useSubmit } from '../hooks/use-submit.ts'
import { PasskeyPart } from '../passkeys/passkey-part.tsx'
import { Failure } from '../states/failure.tsx'
import { ProviderAgain } from './provider-again.tsx'
import { useWorkspace } from './use-workspace.ts'

/** Asks to sign in when the session has ended. The page behind it keeps what was typed. */
export function SignInAgain() {
  const isEnded = useSyncExternalStore(sessionEnded.subscribe, sessionEnded.is)
  return (
    <Modal
      opened={isEnded}
      onClose={() => {}}
      title="Your session has ended"
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <Again />
    </Modal>
  )
}

function Again() {
  const { account } = useWorkspace()
  const queryClient = useQueryClient()
  const kept = unsent.count()
  const { form, asksForCode, submit, shown } = useSignIn(account.email)
  const goOn = async ({ account: signedIn }: { account: { accountId: string } }) => {
    const isUndone = sessionEnded.signedIn()
    // Someone else sees nothing that the one before them saw.
    if (signedIn.accountId !== account.accountId) {
      unsent.drop()
      return location.reload()
    }
    const undone = isUndone ? ' Your last action was not carried out: send it again.' : ''
    notifications.show({ message: `You are signed in again.${undone}` })
    await queryClient.invalidateQueries()
  }
  const { onSubmit, isPending, failure } = useSubmit(form, submit, goOn)
  const provider = useQuery(visitorQuery).data?.provider
  const again = provider && (
    <ProviderAgain name={provider.name} variant={provider.only ? 'filled' : 'default'} onSignedIn={goOn} />
  )
  return (
    <Stack>
      <Text size="sm">
        {sessionEnded.isReplaced() && 'Another account has signed in in this browser. '}
        Sign in again to continue. The page behind this is as you left it.
      </Text>
      {kept > 0 && (
        <Text size="sm">
          {kept === 1 ? '1 decision of yours is' : `${kept} decisions of yours are`} sent when you have signed in. If
          another account signs in, none of them is sent.
        </Text>
      )}
      {again}
      {!provider?.only && (
        <form onSubmit={onSubmit}>
          <Stack>
            {shown(failure) && <Failure error={shown(failure)!} />}
            <EmailField autoComplete="username webauthn" key={form.key('email')} {...form.getInputProps('email')} />
            <PasswordField data-autofocus key={form.key('password')} {...form.getInputProps('password')} />
            {asksForCode && <CodeField autoFocus key={form.key('code')} {...form.getInputProps('code')} />}
            <SubmitRow label="Sign in" isPending={isPending} />
          </Stack>
        </form>
      )}
      <PasskeyPart onSignedIn={goOn} />
    </Stack>
  )
}
