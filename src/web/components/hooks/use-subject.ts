import { useProviderNames } from '../../api/provider-names.ts'

/** Returns what says in words what the event of a delivery is about; undefined for tests, which are about nothing. */
export function useSubject(): (delivery: { provider?: string; subject?: string }) => string | undefined {
  const nameOf = useProviderNames()
  return ({ provider, subject }) => provider && [subject, nameOf(provider)].filter(Boolean).join(' at ')
}
