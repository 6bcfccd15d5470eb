import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft } from '../schema.ts'
import { type EventGroup, type EventMember, eventGroup, type MemberLine, memberLine } from './alias-group.ts'
import { audience } from './audience.ts'
import { envelope } from './parts.ts'

/** A provider's resource joined an alias group, with the price lines it brings: several megabytes are possible. */
export const aliasMemberAdded = envelope(EVENT_VERSIONS['alias.member_added']).extend({
  group: eventGroup,
  resource: z.string().describe("the provider's own name of the resource: the member"),
  canonicalResource: z.string().optional(),
  lines: z.array(memberLine).describe('its published price lines at this instant; empty while no one prices it'),
})

export function aliasMemberAddedEvent(group: EventGroup, member: EventMember, lines: MemberLine[]): EventDraft {
  const { provider, resource, canonicalResources, creditPriced } = member
  const [canonicalResource] = canonicalResources
  return {
    type: 'alias.member_added',
    provider,
    payload: { group, resource, canonicalResource, lines },
    groupId: group.id,
    ...audience(creditPriced, [{ resource }, ...canonicalResources.map((id) => ({ resource, canonicalResource: id }))]),
  }
}
