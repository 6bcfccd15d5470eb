import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { AppError } from '../../lib/errors.ts'
import { EVERY_PROVIDER } from '../rules.ts'
import type { Subscription, WebhookFilter, WebhookView } from '../schema.ts'

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
 * Slugs no one knows, among the providers named and the filters.
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
  minSignificance: webhook.minSignificance,
  minChange: webhook.minChange,
})

/** A subscription after an edit: what the patch does not name stays. */
export const editedSubscription = (current: Subscription, patch: Partial<Subscription>): Subscription => ({
  eventTypes: patch.eventTypes ?? current.eventTypes,
  providers: patch.providers ?? current.providers,
  filters: patch.filters ?? current.filters,
  aliases: patch.aliases ?? current.aliases,
  minSignificance: patch.minSignificance ?? current.minSignificance,
  minChange: patch.minChange ?? current.minChange,
})

export const differs = (a: Subscription, b: Subscription): boolean =>
  canonicalJson(a as Json) !== canonicalJson(b as Json)
