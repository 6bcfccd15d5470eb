import type { FeedItem } from '../../api/feed.ts'
import { TakeAway } from '../prices/take-away/take-away.tsx'
import type { ChangesSearch } from './search.ts'

type Props = { items: FeedItem[]; search: ChangesSearch; isSignedIn: boolean }

/** The changes that a page shows, to take away. */
export function FeedExport({ items, search, isSignedIn }: Props) {
  const request = () => ({
    curl: `curl "${location.origin}$PRICETAPE_FEED${queryOf(search)}"`,
    about: isSignedIn
      ? `This returns the newest 100 ${search.asOf ? 'changes up to now' : 'of these changes'} as Atom. PRICETAPE_FEED is the path of your private feed, which you create on this page. A webhook sends each change as it happens.`
      : 'Sign in and create a private feed. PRICETAPE_FEED is its path.',
  })
  return <TakeAway name="changes" table={() => tableOf(items)} request={request} requestTitle="Changes for a program" />
}

function queryOf({ types, providers, direction, minSignificance }: ChangesSearch): string {
  const parts = Object.entries({ types: types?.join(','), providers: providers?.join(','), direction, minSignificance })
  const query = parts.flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []))
  return query.length > 0 ? `?${query.join('&')}` : ''
}

const COLUMNS = [
  'at', 'type', 'provider', 'resource', 'previousResource', 'dimension', 'tier', 'currency', 'per', 'before', 'after',
  'percent', 'document', 'title', 'classification', 'significance', 'topics', 'wordsRemoved', 'wordsAdded', 'id',
] as const // biome-ignore format: a list reads best in lines

const tableOf = (items: FeedItem[]): unknown[][] => [
  [...COLUMNS],
  ...items.map((item) => COLUMNS.map((column) => item[column])),
]
