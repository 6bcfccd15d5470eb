import { useInfiniteQuery } from '@tanstack/react-query'
import { useProviderNames } from '../../api/provider-names.ts'
import { searchQuery } from '../../api/search.ts'
import { type CommandGroup, useCommand } from './use-command.ts'

export type FoundCommands = {
  groups: CommandGroup[]
  isLoading: boolean
  /** Whether the groups are still those of an earlier text. */
  isOutdated: boolean
  error: Error | null
}

/**
 * Returns what the service finds. Resources come in pages.
 * @param namesWorkspaces whether a webhook is shown with its workspace
 */
export function useFound(text: string, namesWorkspaces: boolean): FoundCommands {
  const nameOf = useProviderNames()
  const command = useCommand()
  const { data, isFetching, isPlaceholderData, error, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...searchQuery(text),
    placeholderData: (before) => before,
  })
  const pages = text === '' ? [] : (data?.pages ?? [])
  const more = { id: 'more', label: 'More models and machines …', isMore: true, run: () => void fetchNextPage() }
  const models = pages.flatMap(({ resources }) => resources)
  const sellers = pages.flatMap(({ providers }) => providers)
  const ofModels = {
    label: 'Models and machines',
    commands: [
      ...models.map(({ provider, resource }) =>
        command(resource, { to: '/prices/$provider/$resource', params: { provider, resource } }, nameOf(provider)),
      ),
      ...(pages.length > 0 && hasNextPage ? [more] : []),
    ],
  }
  const ofSellers = {
    label: 'Providers',
    commands: sellers.map(({ provider, name }) =>
      command(name, { to: '/prices', search: { providers: [provider] } }, `Prices of ${provider}`),
    ),
  }
  // Who types the whole name of a provider means it, and not the models whose names begin with it.
  const isCalled = (name: string) => name.toLowerCase() === text.toLowerCase()
  const isSeller = sellers.some(({ provider, name }) => isCalled(provider) || isCalled(name))
  const isModel = models.some(({ resource }) => isCalled(resource))
  const groups = [
    ...(isSeller && !isModel ? [ofSellers, ofModels] : [ofModels, ofSellers]),
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
  const isLoading = isFetching && text !== ''
  return { groups, isLoading, isOutdated: text !== '' && !error && (isPlaceholderData || !data), error }
}
