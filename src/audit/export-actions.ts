import type { Sql } from '../lib/sql.ts'
import { csvRow } from '../lib/text/csv-rules.ts'
import { type AuditEntry, type AuditPeriod, entriesAfter } from './store.ts'

export const AUDIT_FORMATS = ['csv', 'jsonl'] as const
export type AuditFormat = (typeof AUDIT_FORMATS)[number]

/** Entries in one statement: nothing is held between two of them, however slowly the file is read. */
const PAGE = 1_000

const COLUMNS = [
  ...(['at', 'entryId', 'action', 'accountId', 'email', 'workspaceId', 'workspace'] as const),
  ...(['address', 'subject', 'subjectName', 'detail'] as const),
] satisfies (keyof AuditEntry)[]

/** Returns the entries of a period as lines, the oldest first: CSV with a head, or a JSON object each. */
export async function* exportActions(sql: Sql, period: AuditPeriod, format: AuditFormat): AsyncGenerator<string> {
  if (format === 'csv') yield csvRow(COLUMNS)
  let after: string | undefined
  do {
    const entries = await entriesAfter(sql, period, after, PAGE)
    yield entries.map((entry) => lineOf(entry, format)).join('')
    after = entries.length < PAGE ? undefined : entries.at(-1)!.entryId
  } while (after !== undefined)
}

const lineOf = (entry: AuditEntry, format: AuditFormat): string =>
  format === 'csv'
    ? csvRow(COLUMNS.map((column) => entry[column] ?? undefined))
    : `${JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, entry[column]])))}\n`
