import type { z } from 'zod'
import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { AppError } from '../../lib/errors.ts'
import { EVERY_PROVIDER } from '../rules.ts'
import type { Subscription, WebhookFilter, WebhookView } from '../schema.ts'

/**
 * Reads a body, or says which field is wrong: `filters.openai.resources`, not the entry's number in it.
 * @throws AppError invalid_body with `field`
 */
export function readBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const proto = protoField(body)
  if (proto) throw new AppError('invalid_body', `${proto}: is not a field of a webhook`, { field: proto })
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
  const path = [...issue.path.filter((step) => typeof step === 'string'), ...unknown]
  const field = path.length > 0 ? path.join('.') : undefined
  const what = unknown.length > 0 ? 'is not a field of a webhook' : issue.message
  throw new AppError('invalid_body', field ? `${field}: ${what}` : 'The body must be a JSON object.', { field })
}

/** Returns where a body has a member called `__proto__`. JSON may have one, and zod's records drop it in silence. */
function protoField(body: unknown): string | undefined {
  if (body === null || typeof body !== 'object') return undefined
  for (const key of Object.keys(body)) {
    if (key === '__proto__') return key
    const inner = protoField((body as Record<string, unknown>)[key])
    if (inner) return `${key}.${inner}`
  }
  return undefined
}

/** Filters that narrow nothing are not kept. */
export function narrowing(filters: { [provider: string]: WebhookFilter }): { [provider: string]: WebhookFilter } {
  return Object.fromEntries(
    Object.entries(filters).filter(([, filter]) => filter.resources.length + filter.documents.length > 0),
  )
}

/**
 * A filter narrows a provider that the webhook covers; under `*` that is any.
 * @throws AppError invalid_body, field `filters.<provider>`
 */
export function checkFiltersAreCovered(subscription: { providers: string[]; filters: object }): void {
  if (subscription.providers.includes(EVERY_PROVIDER)) return
  const stray = Object.keys(subscription.filters).find((provider) => !subscription.providers.includes(provider))
  if (!stray) return
  throw new AppError('invalid_body', `filters.${stray}: add ${stray} to providers, or remove its filter.`, {
    field: `filters.${stray}`,
  })
}

/**
 * Slugs nobody knows, among the providers named and the filters.
 * @throws AppError invalid_body, field `providers` or `filters.<provider>`
 */
export function checkProvidersAreKnown(
  subscription: { providers: string[]; filters: object },
  known: Set<string>,
): void {
  const named = subscription.providers.find((provider) => provider !== EVERY_PROVIDER && !known.has(provider))
  if (named) throw new AppError('invalid_body', `providers: ${named} is not a provider.`, { field: 'providers' })
  const filtered = Object.keys(subscription.filters).find((provider) => !known.has(provider))
  if (filtered) {
    throw new AppError('invalid_body', `filters: ${filtered} is not a provider.`, { field: `filters.${filtered}` })
  }
}

/** What decides which events a saved webhook receives. */
export const subscriptionOf = (webhook: WebhookView): Subscription => ({
  eventTypes: webhook.eventTypes as Subscription['eventTypes'],
  providers: webhook.providers,
  filters: webhook.filters,
  aliases: webhook.aliases.map((group) => group.id),
})

/** A subscription after an edit: what the patch does not name stays. */
export const editedSubscription = (current: Subscription, patch: Partial<Subscription>): Subscription => ({
  eventTypes: patch.eventTypes ?? current.eventTypes,
  providers: patch.providers ?? current.providers,
  filters: patch.filters ?? current.filters,
  aliases: patch.aliases ?? current.aliases,
})

export const differs = (a: Subscription, b: Subscription): boolean =>
  canonicalJson(a as Json) !== canonicalJson(b as Json)
