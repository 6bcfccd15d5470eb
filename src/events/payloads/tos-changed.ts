import { z } from 'zod'
import { EVENT_VERSIONS, type EventDraft, significance } from '../schema.ts'
import { envelope, wireInstant } from './parts.ts'

const day = z.string().describe('a day, `YYYY-MM-DD`')

const version = z.object({
  versionId: z.string(),
  recordedAt: wireInstant.describe('when this text was recorded as the provider’s'),
  effectiveDate: day.optional().describe('from when the text says it holds, where it says so'),
  updatedDate: day.optional().describe('when the text says it was last changed, where it says so'),
})

const section = z.object({
  section: z.string().describe('its heading; empty before the first heading'),
  wordsRemoved: z.number().int(),
  wordsAdded: z.number().int(),
  removed: z.array(z.string()).describe('paragraphs that were removed; of a reworded one the words around the change'),
  added: z.array(z.string()),
})

const located = z.object({
  section: z.string().describe('the heading above it; empty before the first heading'),
  clause: z
    .string()
    .optional()
    .describe(
      'the number of its clause, such as `3.2(b)`, `C.1.a.ii` or `Schedule 2, 3`, where the document numbers them',
    ),
  topics: z
    .array(z.enum(['liability', 'price', 'data', 'dates', 'parties', 'termination', 'disputes']))
    .describe('what its paragraphs are about, by their words; may be empty'),
  wordsRemoved: z.number().int(),
  wordsAdded: z.number().int(),
})

const rows = z.object({
  section: z.string().describe('the heading above them; without one the line that introduces them'),
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z
    .array(z.string())
    .optional()
    .describe('those that are in both texts and say something else beside their name'),
})

/** A legal document published by a provider changed: what it says, never only how it looks. */
export const tosChanged = envelope(EVENT_VERSIONS['tos.changed']).extend({
  document: z.string().describe('the document’s slug, as in the catalog and in a webhook’s document filter'),
  title: z.string(),
  url: z.string(),
  classification: z.enum(['dates', 'minor', 'substantive']).describe('dates: only dates; minor: at most 5 words'),
  significance: significance
    .optional()
    .describe('how much the change matters; absent in events that were recorded before it was computed'),
  effectiveDate: day.optional().describe('from when the present text says it holds; may be in the future'),
  previous: version,
  current: version,
  returnsTo: z.string().optional().describe('version id of the earlier text that is back, when one is'),
  doubt: z
    .array(z.string())
    .optional()
    .describe('what is unusual about the change, such as `less than half the size`; absent when nothing is'),
  summary: z.object({
    wordsRemoved: z.number().int(),
    wordsAdded: z.number().int(),
    sections: z.array(section),
    changes: z.array(located).optional().describe('each change in the document’s order, and where to look for it'),
    rows: z
      .array(rows)
      .optional()
      .describe('rows of tables and entries of lists that were added, removed or changed, by name'),
    truncated: z.boolean().describe('something was left out of `sections` or `diff`; the whole is at `differenceUrl`'),
  }),
  diff: z.string().describe('unified diff of the readable text, one paragraph a line, bounded in size'),
  differenceUrl: z
    .string()
    .optional()
    .describe(
      'both versions side by side; absent when the installation has no public address or its pages are not public',
    ),
})

type Change = Omit<z.infer<typeof tosChanged>, keyof z.infer<ReturnType<typeof envelope>>>

/** The draft for one changed document. A credit-priced provider's reaches `*` webhooks like any other provider's. */
export function tosChangedEvent(provider: string, change: Change): EventDraft {
  return {
    type: 'tos.changed',
    provider,
    payload: change,
    document: change.document,
    significance: change.significance,
  }
}
