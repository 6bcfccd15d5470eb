import { notifications } from '@mantine/notifications'
import type { QueueItem } from '../../../../api/operator.ts'
import { headOf } from '../kinds.ts'
import type { SentDecision } from './send-decisions.ts'

const MOST_NAMED = 3

/** Says on whatever page is open now what became of decisions that were sent when Review was left. */
export function sayElsewhere(unsent: QueueItem[], error: Error | undefined, sent: SentDecision[]): void {
  if (error)
    warn(
      unsent.length === 1 ? '1 decision was not sent' : `${unsent.length} decisions were not sent`,
      `${error.message} About: ${namesOf(unsent)}. Open Review: what still waits is listed there.`,
    )
  const refused = sent.filter(({ problem }) => problem)
  const [first, ...others] = refused
  if (!first) return
  if (others.length === 0) warn(`Not decided: ${headOf(first.item).title}`, first.problem!)
  else
    warn(
      `${refused.length} items were not decided`,
      `They changed, or were decided, before your decision arrived. About: ${namesOf(refused.map(({ item }) => item))}. Open Review: what still waits is listed there.`,
    )
}

const warn = (title: string, message: string) => notifications.show({ color: 'red', autoClose: false, title, message })

function namesOf(items: QueueItem[]): string {
  const names = items.slice(0, MOST_NAMED).map((item) => headOf(item).title)
  const more = items.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
