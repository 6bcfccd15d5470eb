import { z } from 'zod'
import { slug } from '../catalog/schema.ts'
import type { Instant } from '../lib/instant.ts'
import { minChange } from '../webhooks/schema.ts'

export const FREQUENCIES = ['at_once', 'daily', 'weekly'] as const
const frequency = z.enum(FREQUENCIES)
export type Frequency = z.infer<typeof frequency>

const settings = {
  frequency,
  minChange: minChange.default(0),
}

/** A watch as it is created: of a seller, of a model or a document of one, or of an alias group. */
export const watchBody = z
  .strictObject({
    provider: slug.optional(),
    resource: z.string().min(1).max(300).optional().describe('the provider’s name of a model or machine'),
    document: slug.optional(),
    group: z.uuid('must be the id of a group').optional(),
    ...settings,
  })
  .refine(({ provider, group }) => (provider === undefined) !== (group === undefined), {
    path: ['provider'],
    message: 'name a provider or a group',
  })
  .refine(({ resource, document, group }) => [resource, document, group].filter(Boolean).length <= 1, {
    path: ['resource'],
    message: 'name one subject: a model, a document or a group',
  })
export type WatchBody = z.output<typeof watchBody>

/** An edit: what is absent stays as it is. */
export const watchPatch = z.strictObject({ ...settings, minChange, paused: z.boolean() }).partial()
export type WatchPatch = z.output<typeof watchPatch>

/** A watch as its owner sees it. */
export type WatchView = {
  watchId: string
  provider: string | null
  providerName: string | null
  /** The provider's name of the model, as it is listed now. */
  resource: string | null
  document: string | null
  title: string | null
  group: { id: string; name: string; deleted: boolean } | null
  frequency: Frequency
  minChange: number
  pausedAt: Instant | null
  createdAt: Instant
}
