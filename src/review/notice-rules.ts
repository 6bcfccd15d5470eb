import { MAIL_SUBJECTS, type MailSubject } from '../lib/mail-subjects.ts'
import type { QueueItem, ReviewNotice } from './schema.ts'

/** The command that shows what a notice is about. */
const COMMAND = 'npx pricetape review list --older-than 1d'

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

/** Returns a notice as a mail. */
export function mailOf({ waiting, notified, items, command }: ReviewNotice): { subject: MailSubject; text: string } {
  const named = items.map(({ reviewId, kind, provider, question, openedAt, endsBy }) =>
    [
      `${provider}: ${question}`,
      `  ${kind}, since ${openedAt}`,
      ...endsBy.map((way) => `  ${way}`),
      `  ${reviewId}`,
    ].join('\n'),
  )
  const more = notified > items.length ? [`… and ${notified - items.length} more.`] : []
  const text = [
    `${itemsText(notified)} ${notified === 1 ? 'has' : 'have'} waited for a decision for a day. ${waiting} in all.`,
    ...named,
    ...more,
    `See them with their evidence:\n  ${command}\n  npx pricetape review show ID\n  npx pricetape review approve ID`,
  ].join('\n\n')
  return { subject: MAIL_SUBJECTS.review, text }
}

const itemsText = (count: number) => (count === 1 ? '1 item' : `${count} items`)
