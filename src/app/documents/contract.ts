import { z } from 'zod'
import { significance } from '../../events/schema.ts'
import { contract } from '../contract.ts'
import { instant } from '../parts.ts'
import { asOf } from '../prices/contract.ts'

const document = z.object({ provider: z.string(), document: z.string(), title: z.string(), url: z.string() })

const version = z.object({
  versionId: z.string(),
  recordedAt: instant,
  classification: z.string().nullable(),
  significance: significance.nullable().describe('null in versions recorded before it was computed'),
  effectiveDate: z.string().nullable(),
  updatedDate: z.string().nullable(),
  previousVersion: z.string().nullable(),
})

export const listDocuments = contract('GET', '/v1/app/documents', {
  access: 'reader',
  query: z.strictObject({ asOf }),
  answer: z.object({
    documents: z.array(
      document.extend({ versions: z.int(), recordedAt: instant.nullable(), effectiveDate: z.string().nullable() }),
    ),
  }),
  status: 200,
})

const row = z.object({
  kind: z.enum(['same', 'removed', 'added', 'changed']),
  section: z.string(),
  clause: z.string().optional(),
  anchor: z
    .object({ id: z.string(), clause: z.string().optional() })
    .optional()
    .describe('of the first row of each clause and section'),
  heading: z.boolean(),
  level: z.int().optional().describe('the level of a heading'),
  depth: z.int().optional().describe('in how many lists the paragraph is'),
  left: z.string().optional(),
  right: z.string().optional(),
  words: z.array(z.object({ text: z.string(), kind: z.enum(['same', 'removed', 'added']) })).optional(),
})

const names = z.array(z.string())
const change = z.object({
  section: z.string(),
  clause: z.string().optional(),
  topics: z.array(z.string()),
  wordsRemoved: z.int(),
  wordsAdded: z.int(),
})

export const readDocument = contract('GET', '/v1/app/documents/:provider/:document', {
  access: 'reader',
  query: z.strictObject({ from: z.uuid().optional(), to: z.uuid().optional(), asOf }),
  answer: z.object({
    document,
    versions: z.array(version).describe('those that were in force, the newest first'),
    before: version.optional().describe('absent when `to` is the first version'),
    after: version,
    classification: z.string(),
    significance,
    wordsRemoved: z.int(),
    wordsAdded: z.int(),
    changes: z.array(change),
    entries: z
      .array(z.object({ section: z.string(), added: names, removed: names, changed: names }))
      .describe('rows of tables and entries of lists, by name'),
    rows: z.array(row),
    truncated: z.boolean(),
    suppressed: z.array(
      z.object({ at: instant, status: z.enum(['cosmetic', 'expired']), reasons: z.array(z.string()) }),
    ),
  }),
  status: 200,
})
