import { z } from 'zod'
import { slug } from '../../catalog/schema.ts'
import { listedLine } from './parts.ts'

/** The group that was joined or left. Not named `alias`: only price events sent because of a group carry that field. */
export const eventGroup = z.object({
  id: z.uuid(),
  name: z.string().describe('display name at this revision; may change'),
  revision: z.number().int().positive().describe('revision this change made'),
})
export type EventGroup = z.infer<typeof eventGroup>

/** A price line of a member. Several sources may price one resource, so each line says which. */
export const memberLine = z.object({ source: slug }).extend(listedLine.shape)
export type MemberLine = z.infer<typeof memberLine>

/** The facts of a member in an alias event. */
export type EventMember = {
  provider: string
  resource: string
  /** Its canonical ids: sources may disagree. The event carries the first. */
  canonicalResources: string[]
  creditPriced: boolean
}
