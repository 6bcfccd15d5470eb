import { z } from 'zod'
import type { Instant } from '../lib/instant.ts'
import { ORIGIN_REASONS } from './tree/leaf-rules.ts'

const instantText = z.string().meta({ format: 'date-time' }) as unknown as z.ZodType<Instant>
const leaves = z.int().min(0)
const hashes = z.array(z.string().describe('base64')).describe('the proof, as RFC 6962 orders it')
const checkpointNote = z.string().describe('a signed checkpoint, as /v1/log/checkpoint serves it')

/** A name under which the log was signed. */
const logOrigin = z
  .object({
    origin: z.string(),
    path: z.string().describe('what its tiles are below, after /v1/log: empty, or / and eight digits'),
    reason: z.enum(ORIGIN_REASONS),
    since: instantText,
    firstSize: leaves.describe('leaves there were when it began'),
    lastSize: leaves.nullable().describe('leaves there were when it ended; null while the log has it'),
    lostAfter: instantText.nullable().describe('what was published after this and until lostUntil is lost'),
    lostUntil: instantText.nullable(),
  })
  .meta({ id: 'LogOrigin' })
export type LogOrigin = z.infer<typeof logOrigin>

const logKey = z
  .object({
    verifier: z.string().describe('the key as signed notes write it: name, key hash, base64 of type and key'),
    origin: z.string(),
    since: instantText,
    until: instantText.nullable().describe('null while it signs'),
    lastSize: leaves.nullable().describe('the leaves of the last checkpoint it signed; null while it signs'),
  })
  .meta({ id: 'LogKey' })
export type PublicLogKey = z.infer<typeof logKey>

export const logKeys = z
  .object({ origin: z.string(), keys: z.array(logKey), origins: z.array(logOrigin) })
  .meta({ id: 'LogKeys' })
export type LogKeys = z.infer<typeof logKeys>

export const inclusion = z
  .object({
    leafIndex: leaves,
    leaf: z.string().describe('the text of the leaf'),
    row: z.string().describe('canonical JSON of the facts of the row: its SHA-256 is contentHash'),
    hashes,
    checkpoint: checkpointNote,
  })
  .meta({ id: 'LogInclusion' })
export type Inclusion = z.infer<typeof inclusion>

export const consistency = z
  .object({ from: leaves, to: leaves, hashes, checkpoint: checkpointNote })
  .meta({ id: 'LogConsistency' })
export type Consistency = z.infer<typeof consistency>
