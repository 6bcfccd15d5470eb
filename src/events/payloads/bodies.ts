import type { z } from 'zod'
import type { EventType } from '../schema.ts'
import { aliasMemberAdded } from './alias-member-added.ts'
import { aliasMemberRemoved } from './alias-member-removed.ts'
import { priceAnnounced } from './price-announced.ts'
import { priceChanged } from './price-changed.ts'
import { priceCorrected } from './price-corrected.ts'
import { priceRevised } from './price-revised.ts'
import { providerAdded } from './provider-added.ts'
import { resourceAdded } from './resource-added.ts'
import { resourceRemoved } from './resource-removed.ts'
import { resourceRenamed } from './resource-renamed.ts'
import { tosChanged } from './tos-changed.ts'

/** The body of each event type. */
export const EVENT_BODIES: Record<EventType, z.ZodType> = {
  'price.changed': priceChanged,
  'resource.added': resourceAdded,
  'tos.changed': tosChanged,
  'price.revised': priceRevised,
  'price.corrected': priceCorrected,
  'resource.removed': resourceRemoved,
  'resource.renamed': resourceRenamed,
  'provider.added': providerAdded,
  'alias.member_added': aliasMemberAdded,
  'alias.member_removed': aliasMemberRemoved,
  'price.announced': priceAnnounced,
}
