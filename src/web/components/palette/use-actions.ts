import { useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { choicesQuery, webhooksQuery } from '../../api/webhooks.ts'
import { COLOR_SCHEMES } from '../shell/color-scheme.tsx'
import { useSignOut } from '../shell/use-sign-out.ts'
import { useWorkspace } from '../shell/use-workspace.ts'
import { type Command, type Target, useCommand } from './use-command.ts'

const ACTIONS: (Target & { label: string; isForAdmins?: boolean })[] = [
  { label: 'Create a webhook', to: '/webhooks/new' },
  { label: 'Create an API key', to: '/keys' },
  { label: 'Invite people', to: '/members', isForAdmins: true },
  { label: 'Change the password', to: '/account' },
  { label: 'What you watch by e-mail', to: '/account/watches' },
]
const MOST_COMPARISONS = 8

/**
 * Returns what can be done from every page.
 * @param isTyping then also what there is for each webhook, which no one wants to read through
 */
export function useActions(isTyping: boolean): Command[] {
  const { workspace } = useWorkspace()
  const command = useCommand()
  const { data } = useQuery({
    ...webhooksQuery(workspace?.workspaceId ?? ''),
    enabled: isTyping && workspace !== undefined,
    refetchInterval: false,
  })
  const colors = useColorSchemes()
  const signOut = useSignOut()
  const secrets = isTyping ? (data?.webhooks ?? []) : []
  return [
    ...ACTIONS.filter(({ isForAdmins }) => !isForAdmins || workspace?.role === 'admin').map(({ label, to }) =>
      command(label, { to }),
    ),
    ...colors,
    { id: 'sign out', label: 'Sign out', run: signOut },
    ...secrets.map(({ id, name }) =>
      command(`Rotate the secret of ${name}`, {
        to: '/webhooks/$webhookId',
        params: { webhookId: id },
        search: { tab: 'secret' },
      }),
    ),
  ]
}

export function useColorSchemes(): Command[] {
  const { setColorScheme } = useMantineColorScheme()
  return COLOR_SCHEMES.map(({ value, label }) => ({
    id: `colours ${value}`,
    label: `Colours: ${label.toLowerCase()}`,
    run: () => setColorScheme(value),
  }))
}

/** Returns the alias groups of this name: each a model at every seller. */
export function useComparisons(text: string): Command[] {
  const command = useCommand()
  const { data } = useQuery({ ...choicesQuery, enabled: text !== '' })
  if (text === '') return []
  return (data?.groups ?? [])
    .filter(({ name }) => name.toLowerCase().includes(text))
    .slice(0, MOST_COMPARISONS)
    .map(({ id, name }) => command(`Compare ${name}`, { to: '/compare/$group', params: { group: id } }))
}
