import type { FeedItem } from '../../api/feed.ts'

/** One change, or many of a kind at one provider: what was added or removed on a day. */
export type Entry = { key: string; items: [FeedItem, ...FeedItem[]] }
export type Day = { day: string; entries: Entry[] }

const GROUPED = ['resource.added', 'resource.removed', 'alias.member_added', 'alias.member_removed']

/** Returns changes by day. Additions and removals at one provider are one entry. */
export function byDay(items: FeedItem[]): Day[] {
  const days: Day[] = []
  for (const item of items) {
    const day = item.at.slice(0, 10)
    const current = days.at(-1)?.day === day ? days.at(-1)! : { day, entries: [] }
    if (current !== days.at(-1)) days.push(current)
    const key = GROUPED.includes(item.type) ? `${day} ${item.type} ${item.provider}` : item.id
    const entry = current.entries.find((other) => other.key === key)
    if (entry) entry.items.push(item)
    else current.entries.push({ key, items: [item] })
  }
  return days
}
