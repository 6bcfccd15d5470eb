import type { FailingSource } from '../catalog/sources/source-store.ts'
import { plural } from '../lib/text/plural.ts'
import type { QueueItem, ReviewNotice, SourceNotice } from './schema.ts'

/** The commands that show what a notice is about. */
const COMMAND = 'npx pricetape review list --older-than 1d'
const SOURCE_COMMAND = 'npx pricetape source list'

/** Items that a notice names. */
export const MOST_ITEMS = 100

/** Returns a notice about items that are new to a channel. `items` are the first of them. */
export function noticeOf(items: QueueItem[], counts: { waiting: number; notified: number }): ReviewNotice {
  const named = items.map(({ id, kind, provider, source, reasons, openedAt, question, endsBy }) => ({
    reviewId: id,
    kind,
    provider,
    source,
    reasons,
    openedAt,
    question,
    endsBy,
  }))
  return { type: 'review.waiting', ...counts, items: named, command: COMMAND }
}

/** Returns a notice about sources that are new to a channel, those that have failed longest first. */
export const sourceNoticeOf = (fresh: FailingSource[], failing: number): SourceNotice => ({
  type: 'source.failing',
  failing,
  notified: fresh.length,
  sources: fresh.slice(0, MOST_ITEMS),
  command: SOURCE_COMMAND,
})

/** Returns the text of a notice as a mail. */
export const mailOf = (notice: ReviewNotice | SourceNotice): string =>
  notice.type === 'review.waiting' ? mailOfItems(notice) : mailOfSources(notice)

function mailOfSources({ failing, notified, sources, command }: SourceNotice): string {
  const named = sources.map(({ source, problem, failingSince, lastGoodAt, nextDueAt }) =>
    [
      `${source}: ${problem}`,
      `  failing since ${failingSince}, last read ${lastGoodAt ?? 'never'}, next try ${nextDueAt}`,
    ].join('\n'),
  )
  return [
    `${plural(notified, 'source')} could not be read for a day. ${failing} in all.`,
    'Published prices stay as they are. The next source that lists a resource takes over once the last good answer is too old.',
    ...named,
    ...(notified > sources.length ? [`… and ${notified - sources.length} more.`] : []),
    `See them all:\n  ${command}`,
  ].join('\n\n')
}

function mailOfItems({ waiting, notified, items, command }: ReviewNotice): string {
  const named = items.map(({ reviewId, kind, provider, question, openedAt, endsBy }) =>
    [
      `${provider}: ${question}`,
      `  ${kind}, since ${openedAt}`,
      ...endsBy.map((way) => `  ${way}`),
      `  ${reviewId}`,
    ].join('\n'),
  )
  const more = notified > items.length ? [`… and ${notified - items.length} more.`] : []
  return [
    `${plural(notified, 'item has', 'items have')} waited for a decision for a day. ${waiting} in all.`,
    ...named,
    ...more,
    `See them with their evidence:\n  ${command}\n  npx pricetape review show ID\n  npx pricetape review approve ID`,
  ].join('\n\n')
}
