import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { audience } from './audience.ts'
import { aliasField, envelope, type ListedLine, listedLine, resourceIdentity } from './parts.ts'

const renaming = z.object({
  ...resourceIdentity.shape,
  resource: z.string().describe('the new name'),
  previousResource: z.string().describe('the old name; its rows stay readable and carry renamedTo'),
  previousCanonicalResource: z.string().optional(),
  lines: z.array(listedLine).describe('the price lines under the new name'),
})

/** A provider renamed a resource; its history continues under the new name. */
export const resourceRenamed = envelope(EVENT_VERSIONS['resource.renamed']).extend({
  ...renaming.shape,
  alias: aliasField,
})

export type ResourceRenaming = Omit<z.infer<typeof renaming>, 'lines'> & { lines: ListedLine[] }

export function resourceRenamedEvent(provider: string, creditPriced: boolean, renamed: ResourceRenaming): EventDraft {
  const before = { resource: renamed.previousResource, canonicalResource: renamed.previousCanonicalResource }
  return { type: 'resource.renamed', provider, payload: renamed, ...audience(creditPriced, [before, renamed]) }
}
