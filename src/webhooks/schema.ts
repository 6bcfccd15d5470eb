import { z } from 'zod'
import { displayName } from '../accounts/name-rules.ts'
import { slug } from '../catalog/schema.ts'
import { eventType, type Significance, significance } from '../events/schema.ts'
import type { Instant } from '../lib/instant.ts'
import type { PauseForecast } from './attempts/auto-pause-rules.ts'
import {
  EVERY_PROVIDER,
  MAX_FILTER_ENTRIES,
  MAX_FILTER_ENTRY_CHARACTERS,
  MAX_GROUPS_PER_WEBHOOK,
  MAX_MIN_CHANGE,
} from './rules.ts'

/** Characters as people and PostgreSQL count them: code points. */
const characters = (text: string): number => [...text].length
const printable = z.string().refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')

const name = printable.pipe(displayName)

const entry = printable
  .refine((text) => text.trim() !== '', 'must not have empty entries')
  .refine(
    (text) => characters(text) <= MAX_FILTER_ENTRY_CHARACTERS,
    `must have entries of at most ${MAX_FILTER_ENTRY_CHARACTERS} characters`,
  )
const entries = z
  .array(entry)
  .max(MAX_FILTER_ENTRIES, `must have at most ${MAX_FILTER_ENTRIES} entries`)
  .transform((list) => [...new Set(list)])

/** What one provider is narrowed to. An empty or absent list narrows nothing. */
const webhookFilter = z.strictObject({
  resources: entries
    .default([])
    .describe("provider's names of resources, or canonical ids; for price and alias events"),
  documents: entries.default([]).describe('document slugs from the catalog; for tos.changed'),
})
export type WebhookFilter = z.infer<typeof webhookFilter>

const minSignificance = significance.describe('of tos.changed; low is every change')

export const minChange = z
  .number()
  .min(0, 'must be 0 or more')
  .max(MAX_MIN_CHANGE, `must be at most ${MAX_MIN_CHANGE}`)
  .describe('per cent: smaller price changes are not sent; 0 is every change')

/** A webhook as it is created and saved (specification, Webhook and Subscription rules). */
export const webhookBody = z.strictObject({
  name,
  // Whatever is wrong with it, length too, is `invalid_url`.
  url: z.string(),
  eventTypes: z
    .array(eventType)
    .min(1, 'must name at least one event type')
    .transform((list) => [...new Set(list)]),
  providers: z
    .array(z.union([z.literal(EVERY_PROVIDER), slug], 'must be provider slugs, or *'))
    .min(1, 'must name at least one provider, or *')
    .transform((list) => [...new Set(list)])
    .describe('provider slugs; * is every provider, beside which a credit-priced one still has to be named'),
  filters: z.record(slug, webhookFilter).default({}).describe('by provider slug'),
  aliases: z
    .array(printable.min(1))
    .max(MAX_GROUPS_PER_WEBHOOK, `must list at most ${MAX_GROUPS_PER_WEBHOOK} alias groups`)
    .default([])
    .describe('alias groups by id or name, stored as ids'),
  minSignificance: minSignificance.default('low'),
  minChange: minChange.default(0),
})
/** What a caller sends; lists may repeat, groups may be names. */
export type WebhookBody = z.input<typeof webhookBody>

/** An edit: what is absent stays as it is. */
export const webhookPatch = webhookBody
  .extend({
    filters: z.record(slug, webhookFilter),
    aliases: webhookBody.shape.aliases.unwrap(),
    minSignificance,
    minChange,
    ifUpdatedAt: z.string().describe('the updatedAt of the webhook that was edited: refused when it was saved since'),
  })
  .partial()
export type WebhookPatch = z.input<typeof webhookPatch>

/** The part of a webhook that decides which events it receives. */
export const subscriptionBody = webhookBody.omit({ name: true, url: true })
export type SubscriptionBody = z.input<typeof subscriptionBody>

/** What decides which events a webhook receives: a version of it. */
export type Subscription = Pick<
  z.output<typeof webhookBody>,
  'eventTypes' | 'providers' | 'filters' | 'minSignificance' | 'minChange'
> & {
  /** Group ids, in the webhook's own order. */
  aliases: string[]
}

/** Which webhook, and on whose behalf: a webhook of another workspace is not found. */
export type WebhookRef = { workspaceId: string; id: string }

/** A webhook as the app and the operator's commands show it; its secret is never part of it. */
export type WebhookView = {
  id: string
  workspaceId: string
  name: string
  url: string
  state: 'active' | 'paused'
  pausedAt?: Instant
  pausedReason?: string
  failuresInRow: number
  /** While attempts fail in a row: what would pause the webhook. */
  willPause?: PauseForecast
  /** Two secrets sign: the older one until then, unless the secret is rotated again before. */
  previousSecretUntil?: Instant
  createdAt: Instant
  updatedAt: Instant
  eventTypes: string[]
  providers: string[]
  filters: { [provider: string]: WebhookFilter }
  /** A deleted group stays on the webhook and matches nothing. */
  aliases: { id: string; name: string; deleted: boolean }[]
  /** From which significance on `tos.changed` is sent. */
  minSignificance: Significance
  /** Price changes of fewer per cent are not sent. */
  minChange: number
}
