import { z } from 'zod'
import { RANKS } from '../../../catalog/schema.ts'
import { contract } from '../../contract.ts'
import { instant } from '../../parts.ts'

const source = z.object({
  source: z.string(),
  kind: z.enum(['prices', 'terms']),
  format: z.string(),
  rank: z.enum(RANKS).describe('whose word it is; of sources that list one thing the first rank decides'),
  witness: z.boolean(),
  declared: z.boolean(),
  endsAt: instant.optional().describe('it is not declared, and its prices end then'),
  endedAt: instant.optional(),
  intervalSeconds: z.int(),
  freshness: z.enum(['fresh', 'stale', 'unknown']),
  nextDueAt: instant,
  lastCheckedAt: instant.optional(),
  lastGoodAt: instant.optional(),
  lastChangedAt: instant.optional(),
  fetchedUrl: z.string().optional(),
  failures: z.int(),
  problem: z.string().optional(),
  lastDurationMs: z.int().optional(),
  collecting: z.boolean().describe('it is being read at this moment'),
  ignored: z.int().describe('what its parser left out of the newest answer'),
})

export const listSources = contract('GET', '/v1/operator/sources', {
  access: 'operator',
  answer: z.object({
    offline: z.boolean().describe('no source is read: a setting says so'),
    sources: z.array(source),
  }),
  status: 200,
})

export const readSource = contract('GET', '/v1/operator/sources/:source', {
  access: 'operator',
  answer: z.object({
    source,
    outcomes: z.array(
      z.object({
        at: instant,
        outcome: z.enum(['changed', 'unchanged', 'quarantined', 'failed']),
        httpStatus: z.int().nullable(),
        reason: z.string().nullable(),
        snapshotHash: z.string().nullable(),
      }),
    ),
    ignored: z.array(z.object({ reason: z.string(), count: z.int(), example: z.string() })),
  }),
  status: 200,
})

/** The bytes of a snapshot as text. */
export const readSnapshot = contract('GET', '/v1/operator/snapshots/:hash', {
  access: 'operator',
  answer: z.object({ hash: z.string(), size: z.int(), text: z.string(), truncated: z.boolean() }),
  status: 200,
})

/** Reads a source now, due or not. What changed goes out with the next check. */
export const collectSource = contract('POST', '/v1/operator/sources/:source/collect', {
  access: 'operator',
  audit: 'source_requested',
  status: 202,
})
