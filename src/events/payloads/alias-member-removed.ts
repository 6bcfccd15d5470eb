import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { type EventGroup, type EventMember, eventGroup } from './alias-group.ts'
import { audience } from './audience.ts'
import { envelope } from './parts.ts'

/** A resource left an alias group, or the group was deleted. */
export const aliasMemberRemoved = envelope(EVENT_VERSIONS['alias.member_removed']).extend({
  group: eventGroup,
  resource: z.string().describe("the provider's own name of the resource: the former member"),
  canonicalResource: z.string().optional(),
  groupDeleted: z.boolean().describe('true when the member left because the whole group was deleted'),
})

export function aliasMemberRemovedEvent(group: EventGroup, member: EventMember, groupDeleted: boolean): EventDraft {
  const { provider, resource, canonicalResources, creditPriced } = member
  const [canonicalResource] = canonicalResources
  return {
    type: 'alias.member_removed',
    provider,
    payload: { group, resource, canonicalResource, groupDeleted },
    groupId: group.id,
    ...audience(creditPriced, [{ resource }, ...canonicalResources.map((id) => ({ resource, canonicalResource: id }))]),
  }
}
