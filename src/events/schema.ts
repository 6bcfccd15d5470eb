import { z } from 'zod'
import type { Json } from '../lib/canonical-json.ts'

/** The event types a webhook can subscribe to (specification, Event types), with the version of each payload. */
export const EVENT_VERSIONS = {
  'price.changed': 'price-change.v1',
  'resource.added': 'resource-added.v1',
  'tos.changed': 'tos-change.v1',
  'price.revised': 'price-revised.v1',
  'price.corrected': 'price-corrected.v1',
  'resource.removed': 'resource-removed.v1',
  'resource.renamed': 'resource-renamed.v1',
  'provider.added': 'provider-added.v1',
  'alias.member_added': 'alias-member-added.v1',
  'alias.member_removed': 'alias-member-removed.v1',
  'price.announced': 'price-announced.v1',
} as const

export type EventType = keyof typeof EVENT_VERSIONS
export const EVENT_TYPES = Object.keys(EVENT_VERSIONS) as EventType[]
export const eventType = z.enum(EVENT_TYPES)

/** What only those receive who name it: `*` and lists without a filter leave it out. */
export const OPT_IN_EVENT_TYPES: EventType[] = ['price.announced']
/** What `*` means: the ten event types of the specification. */
export const USUAL_EVENT_TYPES = EVENT_TYPES.filter((type) => !OPT_IN_EVENT_TYPES.includes(type))

export const SIGNIFICANCES = ['low', 'medium', 'high'] as const
/** How much a change of a document matters, for subscribers who choose what they receive. */
export const significance = z.enum(SIGNIFICANCES)
export type Significance = z.infer<typeof significance>

/**
 * An event about to be recorded. `payload` is what its type adds to the common envelope
 * `{version, type, id, createdAt, eligibleAt, provider}`; the rest says who may want it.
 */
export type EventDraft = {
  type: EventType
  provider: string
  payload: { [key: string]: Json | undefined }
  /** The provider's names of the resource, old and new, and its canonical ids: what a resource filter may name. */
  resources?: string[]
  /** The exact names a group may list as a member: the provider's own, old and new. */
  members?: string[]
  /** Document slug, for `tos.changed`. */
  document?: string
  /** How much the change matters, for `tos.changed`. */
  significance?: Significance
  /** The group that was joined or left, for alias events. */
  groupId?: string
  /** The provider prices in credits: its price, resource and alias events go only to webhooks that name it. */
  creditPriced?: boolean
}
