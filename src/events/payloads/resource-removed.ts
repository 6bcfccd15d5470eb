import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { audience } from './audience.ts'
import {
  aliasField,
  envelope,
  type ListedLine,
  listedLine,
  type ResourceIdentity,
  resourceIdentity,
  wireInstant,
} from './parts.ts'

/**
 * A resource's price lines were removed: its provider stopped listing it, and that was confirmed; or the source they were
 * read from ended.
 */
export const resourceRemoved = envelope(EVENT_VERSIONS['resource.removed']).extend({
  ...resourceIdentity.shape,
  lines: z.array(listedLine).describe('the last price of each removed line'),
  missingSince: wireInstant.optional().describe('the first check that no longer found it'),
  reason: z
    .literal('source_ended')
    .optional()
    .describe('the source is no longer read here; whether the provider still sells the resource is not known'),
  alias: aliasField,
})

export function resourceRemovedEvent(
  provider: string,
  creditPriced: boolean,
  removed: ResourceIdentity & { lines: ListedLine[]; missingSince?: string; reason?: 'source_ended' },
): EventDraft {
  return { type: 'resource.removed', provider, payload: removed, ...audience(creditPriced, [removed]) }
}
