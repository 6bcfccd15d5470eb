import { useInfiniteQuery } from '@tanstack/react-query'
import { searchQuery } from '../../api/audit.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { PAGE_GROUPS } from '../shell/pages.ts'
import { useWorkspace } from '../shell/use-workspace.ts'
import type { pageActions } from './page-actions.ts'
import { useActions, useComparisons } from './use-actions.ts'
import { type Command, type CommandGroup, useCommand } from './use-command.ts'

/**
 * Returns what can be opened or done under a text: pages and actions by their names at once, the rest as the service
 * finds it.
 * @param paused the text when the typing paused last
 * @param onPage what the page offers that was open before the palette
 */
export function useCommands(
  query: string,
  paused: string,
  onPage: ReturnType<typeof pageActions>,
): { groups: CommandGroup[]; isLoading: boolean; error: Error | null } {
  const { account } = useWorkspace()
  const command = useCommand()
  const text = query.trim().toLowerCase()
  const { groups: found, isLoading, error } = useFound(text === '' ? '' : paused.trim())
  const actions = useActions(text !== '')
  const comparisons = useComparisons(text)
  const named = (commands: Command[]) => commands.filter(({ label }) => label.toLowerCase().includes(text))

  const pages = [
    ...PAGE_GROUPS.filter(({ isForOperators }) => !isForOperators || account.operator).flatMap((group) => group.pages),
    { to: '/compare', label: 'Compare' },
    { to: '/workspaces', label: 'Workspaces' },
    { to: '/account', label: 'Account and sessions' },
  ]
  const groups = [
    {
      label: 'On this page',
      commands: named(onPage.map(({ label, run }, n) => ({ id: `on page ${n}`, label, run }))),
    },
    { label: 'Pages', commands: named(pages.map(({ to, label }) => command(label, { to }))) },
    { label: 'Actions', commands: named(actions) },
    ...found,
    { label: 'Compare at every seller', commands: comparisons },
  ]
  return { groups: groups.filter(({ commands }) => commands.length > 0), isLoading, error }
}

/** What the service finds. Resources come in pages. */
function useFound(text: string): { groups: CommandGroup[]; isLoading: boolean; error: Error | null } {
  const { workspaces } = useWorkspace()
  const nameOf = useProviderNames()
  const command = useCommand()
  const { data, isFetching, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...searchQuery(text),
    placeholderData: (before) => before,
  })
  const pages = text === '' ? [] : (data?.pages ?? [])
  const more = { id: 'more', label: 'More models and machines …', isMore: true, run: () => void fetchNextPage() }
  const groups = [
    {
      label: 'Models and machines',
      commands: [
        ...pages
          .flatMap(({ resources }) => resources)
          .map(({ provider, resource }) =>
            command(resource, { to: '/prices/$provider/$resource', params: { provider, resource } }, nameOf(provider)),
          ),
        ...(pages.length > 0 && hasNextPage ? [more] : []),
      ],
    },
    {
      label: 'Providers',
      commands: pages
        .flatMap(({ providers }) => providers)
        .map(({ provider, name }) =>
          command(name, { to: '/prices', search: { providers: [provider] } }, `Prices of ${provider}`),
        ),
    },
    {
      label: 'Documents',
      commands: pages
        .flatMap(({ documents }) => documents)
        .map(({ provider, document, title }) =>
          command(title, { to: '/documents/$provider/$document', params: { provider, document } }, nameOf(provider)),
        ),
    },
    {
      label: 'Webhooks',
      commands: pages
        .flatMap(({ webhooks }) => webhooks)
        .map(({ webhookId, name, workspaceId, workspace }) =>
          command(
            name,
            { to: '/webhooks/$webhookId', params: { webhookId }, search: { workspace: workspaceId } },
            workspaces.length > 1 ? workspace : undefined,
          ),
        ),
    },
  ]
  return { groups, isLoading: isFetching && text !== '', error }
}
