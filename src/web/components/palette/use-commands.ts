import { useQuery } from '@tanstack/react-query'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { searchQuery } from '../../api/audit.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { PAGE_GROUPS } from '../shell/pages.ts'
import { useWorkspace } from '../shell/use-workspace.ts'

/** Something that the palette opens. */
type Command = { id: string; label: string; about?: string; run: () => void }
export type CommandGroup = { label: string; commands: Command[] }

type Target = { to: string; params?: Record<string, string>; search?: Record<string, string | string[] | undefined> }

const ACTIONS: (Target & { label: string; isForAdmins?: boolean })[] = [
  { label: 'Create a webhook', to: '/webhooks/new' },
  { label: 'Create an API key', to: '/keys' },
  { label: 'Invite somebody', to: '/members', isForAdmins: true },
  { label: 'Compare prices', to: '/compare' },
  { label: 'Change the password', to: '/account' },
]

/**
 * Returns what can be opened under a text: pages and actions by their names at once, the rest as the service finds it.
 * @param paused the text when the typing paused last
 */
export function useCommands(
  query: string,
  paused: string,
): { groups: CommandGroup[]; isLoading: boolean; error: Error | null } {
  const { account, workspace, workspaces } = useWorkspace()
  const { routesByPath } = useRouter()
  const navigate = useNavigate()
  const text = query.trim()
  const { data, isFetching, error } = useQuery({ ...searchQuery(paused.trim()), placeholderData: (before) => before })
  const here = workspace?.workspaceId
  const nameOf = useProviderNames()

  const exists = ({ to }: Target) => to in routesByPath
  const command = (label: string, target: Target, about?: string): Command => ({
    id: JSON.stringify([target, label]),
    label,
    about,
    run: () =>
      void navigate({
        to: target.to,
        params: target.params as never,
        search: { workspace: here, ...target.search } as never,
      }),
  })
  const firstOf = (...targets: Target[]) => targets.find(exists)
  const named = (commands: Command[]) =>
    commands.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase()))

  const pages = [
    ...PAGE_GROUPS.filter(({ isForOperators }) => !isForOperators || account.operator).flatMap((group) => group.pages),
    { to: '/workspaces', label: 'Workspaces' },
    { to: '/account', label: 'Account and sessions' },
  ]
  const correct = (search: Record<string, string>) => (account.operator ? [{ to: '/operator/prices', search }] : [])
  const found = text === '' ? undefined : data
  const listed = <T>(items: T[] | undefined, make: (item: T) => Command | undefined): Command[] =>
    (items ?? []).flatMap((item) => make(item) ?? [])

  const groups = [
    { label: 'Pages', commands: named(pages.map(({ to, label }) => command(label, { to }))) },
    {
      label: 'Actions',
      commands: named(
        ACTIONS.filter((action) => exists(action) && (!action.isForAdmins || workspace?.role === 'admin')).map(
          ({ label, isForAdmins: _, ...target }) => command(label, target),
        ),
      ),
    },
    {
      label: 'Models and machines',
      commands: listed(found?.resources, ({ provider, resource }) => {
        const target = firstOf(
          { to: '/prices/$provider/$resource', params: { provider, resource } },
          ...correct({ provider, resource }),
        )
        return target && command(resource, target, nameOf(provider))
      }),
    },
    {
      label: 'Providers',
      commands: listed(found?.providers, ({ provider, name }) => {
        const target = firstOf({ to: '/prices', search: { providers: [provider] } })
        return target && command(name, target, `Prices of ${provider}`)
      }),
    },
    {
      label: 'Documents',
      commands: listed(found?.documents, ({ provider, document, title }) => {
        const target = firstOf({ to: '/documents/$provider/$document', params: { provider, document } })
        return target && command(title, target, nameOf(provider))
      }),
    },
    {
      label: 'Webhooks',
      commands: listed(found?.webhooks, ({ webhookId, name, workspaceId, workspace: where }) => {
        const target = firstOf({
          to: '/webhooks/$webhookId',
          params: { webhookId },
          search: { workspace: workspaceId },
        })
        return target && command(name, target, workspaces.length > 1 ? where : undefined)
      }),
    },
  ]
  return { groups: groups.filter(({ commands }) => commands.length > 0), isLoading: isFetching && text !== '', error }
}
