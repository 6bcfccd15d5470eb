import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { audience } from './audience.ts'
import { aliasField, envelope, type ListedLine, listedLine, type ResourceIdentity, resourceIdentity } from './parts.ts'

/** A resource was priced for the first time, with all its price lines. */
export const resourceAdded = envelope(EVENT_VERSIONS['resource.added']).extend({
  ...resourceIdentity.shape,
  lines: z.array(listedLine),
  alias: aliasField,
})

export function resourceAddedEvent(
  provider: string,
  creditPriced: boolean,
  added: ResourceIdentity & { lines: ListedLine[] },
): EventDraft {
  return { type: 'resource.added', provider, payload: added, ...audience(creditPriced, [added]) }
}
