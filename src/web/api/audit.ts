import { infiniteQueryOptions } from '@tanstack/react-query'
import * as audit from '../../app/audit/endpoints.ts'
import type { AnswerOf } from '../../app/contracts.ts'
import { DAY } from '../../lib/instant.ts'
import { MAX_AUDIT_ENTRIES } from '../limits.ts'
import { call } from './connection/client.ts'

export type AuditPage = AnswerOf<typeof audit.listAllActions>
export type AuditEntry = AuditPage['entries'][number]

type Filter = { workspace?: string; action?: string; accountId?: string }

type Page = { before: string | undefined; limit?: number }
function readPage(filter: Filter, isForOperators: boolean, page: Page): Promise<AuditPage> {
  const query = { ...filter, ...page } as object as Record<string, never> & { workspace: string }
  return isForOperators ? call(audit.listAllActions, { query }) : call(audit.listWorkspaceActions, { query })
}

/** The audit log, newest first: of one workspace for its admins, of everything for operators. */
export const auditQuery = (filter: Filter, isForOperators: boolean) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter, isForOperators],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: before }) => readPage(filter, isForOperators, { before }),
    getNextPageParam: ({ next }) => next ?? undefined,
  })

type Export = { format: string; since: string | null; until: string | null }

/** Returns the address of the log of some days, both included. */
export function auditExportUrl({ format, since, until }: Export): string {
  const end = until && new Date(Date.parse(`${until}T00:00:00Z`) + DAY).toISOString()
  const query = { format, ...(since && { since: `${since}T00:00:00Z` }), ...(end && { until: end }) }
  return `${audit.exportActions.path}?${new URLSearchParams(query)}`
}

/** An export has no more entries than a spreadsheet opens with ease. */
const MOST_EXPORTED = 10_000

/** Every entry that meets a filter, the newest first, up to 10,000: in so few requests that none is too many. */
export async function allEntries(filter: Filter, isForOperators: boolean): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = []
  let before: string | undefined
  do {
    const page = await readPage(filter, isForOperators, { before, limit: MAX_AUDIT_ENTRIES })
    entries.push(...page.entries)
    before = page.next ?? undefined
  } while (before !== undefined && entries.length < MOST_EXPORTED)
  return entries.slice(0, MOST_EXPORTED)
}
