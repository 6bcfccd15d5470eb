import { ActionIcon, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import {
  type AccountOverview,
  changeAccount,
  endAccountSessions,
  resetPasskeys,
  resetTotp,
  unlinkAccount,
} from '../../api/operator.ts'
import { useConfirmed } from '../../components/hooks/use-confirmed.tsx'
import { DisableDialog } from './disable-dialog.tsx'

type Props = { account: AccountOverview }

/** What an operator does with an account. All but letting it in again is asked about first. */
export function UserActions({ account }: Props) {
  const { accountId, name, operator, disabledAt, sessions, totp, passkeys, linked } = account
  const ask = useAsked(account)
  const [isDisabling, disabling] = useDisclosure(false)
  const { mutate, isPending } = useMutation({
    mutationFn: () => changeAccount(accountId, { disabled: false }),
    onError: ({ message }) => notifications.show({ color: 'red', title: `Could not enable ${name}`, message }),
  })
  return (
    <>
      <Menu position="bottom-end" shadow="md" width={220}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`} loading={isPending}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={ask.changeOperator}>{operator ? 'Take operator rights away' : 'Make operator'}</Menu.Item>
          <Menu.Item disabled={sessions === 0} onClick={ask.signOut}>
            Sign out everywhere
          </Menu.Item>
          {totp && <Menu.Item onClick={ask.resetCodes}>Reset the authenticator app</Menu.Item>}
          {passkeys > 0 && <Menu.Item onClick={ask.removePasskeys}>Remove the passkeys</Menu.Item>}
          {linked && <Menu.Item onClick={ask.unlink}>Unlink from single sign-on</Menu.Item>}
          {disabledAt ? (
            <Menu.Item onClick={() => mutate()}>Enable</Menu.Item>
          ) : (
            <Menu.Item color="red" onClick={disabling.open}>
              Disable
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {isDisabling && <DisableDialog account={account} onClose={disabling.close} />}
    </>
  )
}

/** Returns what asks before each change. */
function useAsked({ accountId, name, operator, sessions, passkeys }: AccountOverview) {
  const changeOperator = useConfirmed({
    title: operator ? `Take operator rights away from ${name}?` : `Make ${name} an operator?`,
    text: operator
      ? `${name} no longer sees the pages of operators. Memberships of workspaces stay.`
      : `${name} may then decide what is published, disable accounts, and make others operators.`,
    button: operator ? 'Take them away' : 'Make operator',
    run: () => changeAccount(accountId, { operator: !operator }),
  })
  const signOut = useConfirmed({
    title: `Sign ${name} out everywhere?`,
    text: sessions === 1 ? 'One session ends at once.' : `${sessions} sessions end at once.`,
    button: 'Sign out',
    run: () => endAccountSessions(accountId),
  })
  const resetCodes = useConfirmed({
    title: `Stop asking ${name} for codes?`,
    text: `For people who lost their phone and recovery codes. Make sure that ${name} is asking. Afterwards the password alone signs in.`,
    button: 'Stop asking',
    run: () => resetTotp(accountId),
  })
  const removePasskeys = useConfirmed({
    title: `Remove the passkeys of ${name}?`,
    text: `For people who lost a device. Make sure that ${name} is asking. ${passkeys === 1 ? 'The passkey stops' : `All ${passkeys} passkeys stop`} working, and the password signs in. Sessions stay.`,
    button: 'Remove',
    run: () => resetPasskeys(accountId),
  })
  const unlink = useConfirmed({
    title: `Unlink ${name} from single sign-on?`,
    text: `For people who are someone else at the identity provider now. ${name} signs in another way, or links the account again. Sessions stay.`,
    button: 'Unlink',
    run: () => unlinkAccount(accountId),
  })
  return { changeOperator, signOut, resetCodes, removePasskeys, unlink }
}
