import { type AsOf, readAsOf, texts } from '../prices/explorer/search.ts'

export type ChangesSearch = AsOf & {
  providers?: string[]
  types?: string[]
  direction?: 'up' | 'down'
  minSignificance?: 'medium' | 'high'
}

export const readChangesSearch = (search: Record<string, unknown>): ChangesSearch => ({
  ...readAsOf(search),
  providers: texts(search.providers),
  types: texts(search.types)?.filter((type) => TYPES.some(({ value }) => value === type)),
  direction: search.direction === 'up' || search.direction === 'down' ? search.direction : undefined,
  minSignificance:
    search.minSignificance === 'medium' || search.minSignificance === 'high' ? search.minSignificance : undefined,
})

/** The event types in words. */
export const TYPES = [
  { value: 'price.changed', label: 'Price changed' },
  { value: 'price.announced', label: 'Price announced' },
  { value: 'price.corrected', label: 'Price corrected' },
  { value: 'price.revised', label: 'Terms of a price changed' },
  { value: 'resource.added', label: 'New' },
  { value: 'resource.removed', label: 'Removed' },
  { value: 'resource.renamed', label: 'Renamed' },
  { value: 'tos.changed', label: 'Document changed' },
  { value: 'provider.added', label: 'New provider' },
  { value: 'alias.member_added', label: 'Joined a group' },
  { value: 'alias.member_removed', label: 'Left a group' },
]
