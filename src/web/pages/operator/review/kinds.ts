import type { QueueItem } from '../../../api/operator.ts'

/** What an item is about, in a word or two. */
export const KIND_NAMES: Record<QueueItem['kind'], string> = {
  price: 'Price',
  mass_change: 'Many prices',
  removal: 'Removal',
  rename: 'Renaming',
  line_removal: 'Missing prices',
  unreadable: 'Unreadable',
  snapshot: 'Snapshot',
  terms: 'Document',
}

/** What an item is called: the resource where it is about the prices of one, else its question. */
export function headOf(item: Pick<QueueItem, 'kind' | 'question' | 'resources'>): { title: string; rest?: string } {
  const [resource, ...others] = item.resources
  if (!isEditable(item) || resource === undefined || others.length > 0) return { title: item.question }
  const rest = item.question.startsWith(`${resource}: `) ? item.question.slice(resource.length + 2) : item.question
  return { title: resource, rest: rest.replaceAll('_', ' ') }
}

/** Prices alone can be published with another value. */
export const isEditable = ({ kind }: Pick<QueueItem, 'kind'>): boolean => kind === 'price' || kind === 'mass_change'

/** What a decision about an item means. */
export function effectOf({ kind }: Pick<QueueItem, 'kind'>, decision: 'approve' | 'reject'): string {
  if (decision === 'reject') return 'Leave what is published. The source is not believed until it says something else.'
  if (kind === 'rename') return 'Yes, it was renamed.'
  if (kind === 'removal' || kind === 'line_removal' || kind === 'unreadable') return 'Yes, it is gone.'
  if (kind === 'snapshot') return 'Take the snapshot in.'
  return kind === 'terms' ? 'Publish this text.' : 'Publish what waits.'
}
