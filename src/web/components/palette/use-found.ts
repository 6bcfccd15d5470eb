import { useInfiniteQuery } from '@tanstack/react-query'
import { searchQuery } from '../../api/audit.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { type CommandGroup, useCommand } from './use-command.ts'

/**
 * Returns what the service finds. Resources come in pages.
 * @param namesWorkspaces whether a webhook is shown with its workspace
 */
export function useFound(
  text: string,
  namesWorkspaces: boolean,
): { groups: CommandGroup[]; isLoading: boolean; error: Error | null } {
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
            namesWorkspaces ? workspace : undefined,
          ),
        ),
    },
  ]
  return { groups, isLoading: isFetching && text !== '', error }
}
