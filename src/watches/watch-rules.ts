import type { EventType } from '../events/schema.ts'
import { DAY } from '../lib/instant.ts'

/** What one person may watch. */
export const MAX_WATCHES = 50
/** Changes of one watch that a mail shows; it says how many more there are. */
export const MOST_SHOWN = 20
/** Mails at once to one person in any 24 hours. What is above that waits, and is sent together. */
export const MAX_MAILS_PER_DAY = 50
export const MAILS_COUNTED_MS = DAY
/** A mail that no mail server takes for so long is given up. */
export const GIVE_UP_AFTER_MS = 7 * DAY
/** The link of an older mail no longer unsubscribes. */
export const LINK_KEPT_MS = 365 * DAY

const PRICES: EventType[] = [
  'price.changed',
  'price.announced',
  'price.corrected',
  'resource.added',
  'resource.removed',
  'resource.renamed',
]

/** The events that a watch is about. `price.revised` changes no amount: webhooks tell programs about it. */
export const WATCHED_EVENTS = {
  model: PRICES,
  seller: [...PRICES, 'tos.changed'],
  group: [...PRICES, 'alias.member_added', 'alias.member_removed'],
  document: ['tos.changed'],
} satisfies Record<string, EventType[]>

/** What a watch is about: the columns that name it. */
type Subject = { resource?: string | null; document?: string | null; groupId?: string | null }

export const kindOf = ({ resource, document, groupId }: Subject): keyof typeof WATCHED_EVENTS =>
  groupId ? 'group' : document ? 'document' : resource ? 'model' : 'seller'
