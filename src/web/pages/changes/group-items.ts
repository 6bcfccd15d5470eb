import type { FeedItem } from '../../api/feed.ts'

/** One change, or several that are shown as one. */
export type Entry = { key: string; items: [FeedItem, ...FeedItem[]] }
export type Day = { day: string; entries: Entry[] }

const GROUPED = ['resource.added', 'resource.removed', 'alias.member_added', 'alias.member_removed']

/** Additions and removals at one provider on one day are one entry, and so are the prices of a resource at one instant. */
function keyOf({ id, type, provider, resource, at }: FeedItem): string {
  if (GROUPED.includes(type)) return `${at.slice(0, 10)} ${type} ${provider}`
  return type.startsWith('price.') ? `${at} ${type} ${provider} ${resource}` : id
}

/** Returns changes by day. */
export function byDay(items: FeedItem[]): Day[] {
  const days: Day[] = []
  for (const item of items) {
    const day = item.at.slice(0, 10)
    const current = days.at(-1)?.day === day ? days.at(-1)! : { day, entries: [] }
    if (current !== days.at(-1)) days.push(current)
    const key = keyOf(item)
    const entry = current.entries.find((other) => other.key === key)
    if (entry) entry.items.push(item)
    else current.entries.push({ key, items: [item] })
  }
  return days
}
