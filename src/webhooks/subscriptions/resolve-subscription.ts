import { findGroups } from '../../aliases/group-store.ts'
import { knownProviders } from '../../catalog/providers/provider-store.ts'
import { AppError } from '../../lib/errors.ts'
import type { Tx } from '../../lib/sql.ts'
import { EVERY_PROVIDER } from '../rules.ts'
import type { Subscription } from '../schema.ts'
import { checkFiltersAreCovered, checkProvidersAreKnown, narrowing } from './subscription-rules.ts'

/** What saving a webhook needs from outside: the key that seals secrets, and the rules for its URL. */
export type WebhookTools = {
  secretKey: Uint8Array
  /** Resolves the host; @throws AppError invalid_url. Called outside any transaction. */
  checkUrl: (url: string) => Promise<unknown>
}

/**
 * The subscription as it is stored: known providers, filters that narrow, groups as ids.
 * @param held groups that the webhook lists already: they stay, even when they were deleted
 * @throws AppError invalid_body with `field`
 */
export async function resolveSubscription(tx: Tx, wanted: Subscription, held: string[]): Promise<Subscription> {
  const { eventTypes, providers, minSignificance, minChange } = wanted
  const filters = narrowing(wanted.filters)
  checkFiltersAreCovered({ providers, filters })
  const slugs = [...providers, ...Object.keys(filters)].filter((provider) => provider !== EVERY_PROVIDER)
  checkProvidersAreKnown({ providers, filters }, await knownProviders(tx, slugs))
  const found = await findGroups(tx, wanted.aliases)
  const aliases = wanted.aliases.map((reference) => {
    const id = found.get(reference)?.id ?? held.find((group) => group === reference)
    if (id) return id
    throw new AppError('invalid_body', `aliases: there is no alias group ${reference}.`, { field: 'aliases' })
  })
  return { eventTypes, providers, filters, aliases: [...new Set(aliases)], minSignificance, minChange }
}
