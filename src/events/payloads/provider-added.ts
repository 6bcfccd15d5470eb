import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { envelope } from './parts.ts'

/** A provider became available for the first time: its prices, or a text of it, can be read from now on. */
export const providerAdded = envelope(EVENT_VERSIONS['provider.added']).extend({
  name: z.string().describe("the provider's name for people"),
})

export function providerAddedEvent(provider: string, name: string): EventDraft {
  // Not marked as credit-priced: provider.added reaches `*` webhooks like any other provider's.
  return { type: 'provider.added', provider, payload: { name } }
}
