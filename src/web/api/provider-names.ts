import { useQuery } from '@tanstack/react-query'
import { overviewQuery } from './feed.ts'

/** Returns what turns the slug of a provider into its name; a slug that no one knows stays. */
export function useProviderNames(): (provider: string) => string {
  const { data } = useQuery(overviewQuery)
  const names = new Map(data?.providers.map(({ provider, name }) => [provider, name]))
  return (provider) => names.get(provider) ?? provider
}
