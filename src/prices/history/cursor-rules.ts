import { z } from 'zod'
import { dimension, slug } from '../../catalog/schema.ts'
import { openCursor, sealCursor } from '../../lib/cursor.ts'
import { SHA256_HEX } from '../../lib/hash.ts'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { isName } from '../schema.ts'
import { CONFIRMED_BY, type HistoryRequest, INCLUDED, MAX_FILTER_NAMES, MAX_PROVIDERS } from './history-rules.ts'

const distinct = <T extends z.ZodType>(item: T, most: number) =>
  z
    .array(item)
    .min(1)
    .max(most)
    .refine((items) => new Set(items).size === items.length)

const instant = z.string().transform((text, context): Instant => {
  const parsed = parseInstant(text)
  if (parsed === text) return parsed
  context.addIssue('not an instant')
  return z.NEVER
})
const names = distinct(z.string().refine(isName), MAX_FILTER_NAMES)
const filters = z.strictObject({
  resources: names.optional(),
  canonicalResources: names.optional(),
  dimensions: distinct(dimension, dimension.options.length).optional(),
  current: z.literal(true).optional(),
  confirmed: z.enum(CONFIRMED_BY).optional(),
})

const CURSOR_VERSION = 2
const cursorContent = z.tuple([
  z.literal(CURSOR_VERSION),
  z.uuid(),
  instant,
  z.string().regex(SHA256_HEX),
  distinct(slug, MAX_PROVIDERS).nullable(),
  z.object({ id: z.uuid(), revision: z.int().min(0).max(2_147_483_647) }).nullable(),
  filters.nullable(),
  instant.nullable(),
  // Cursors of earlier versions end here.
  distinct(z.enum(INCLUDED), INCLUDED.length).optional(),
])

/**
 * Where a walk continues: it pins the timeline of the history, asOf, providers, the group at its revision, the filters,
 * since, what is included and the position, but not the limit.
 */
type Continuation = Pick<HistoryRequest, 'providers' | 'filters' | 'include' | 'since' | 'after'> & {
  timeline: string
  asOf: Instant
  alias?: { id: string; revision: number }
}

export function historyCursor(key: Uint8Array, continuation: Continuation): string {
  const { timeline, asOf, after, providers, alias, filters, since, include } = continuation
  const pinned = [providers ?? null, alias ?? null, filters ?? null, since ?? null, ...(include ? [include] : [])]
  return sealCursor(key, [CURSOR_VERSION, timeline, asOf, after, ...pinned])
}

/** The page a cursor continues to; undefined when it is not one of ours. */
export function continued(key: Uint8Array, cursor: string, limit: number): HistoryRequest | undefined {
  const parsed = cursorContent.safeParse(openCursor(key, cursor))
  if (!parsed.success) return undefined
  const [, timeline, asOf, after, providers, alias, filters, since, include] = parsed.data
  return {
    limit,
    timeline,
    asOf,
    after,
    providers: providers ?? undefined,
    alias: alias ? { reference: alias.id, revision: alias.revision } : undefined,
    filters: filters ?? undefined,
    since: since ?? undefined,
    include,
  }
}
