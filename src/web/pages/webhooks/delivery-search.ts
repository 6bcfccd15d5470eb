import { parseInstant } from '../../../lib/instant.ts'
import type { DeliveryFilter } from '../../api/webhooks.ts'
import { text } from '../../search.ts'

export const STATUSES = [
  { value: 'pending', label: 'Pending' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
  { value: 'notSent', label: 'Not sent' },
] as const
type Status = (typeof STATUSES)[number]['value']

const MINUTE_MS = 60_000
/** How far back the log is shown. */
export const PERIODS = [
  { value: '1h', label: 'Last hour', ms: 60 * MINUTE_MS },
  { value: '24h', label: 'Last 24 hours', ms: 24 * 60 * MINUTE_MS },
  { value: '7d', label: 'Last 7 days', ms: 7 * 24 * 60 * MINUTE_MS },
] as const

/** What the address of a webhook's page holds. `since` is a period, or an instant to the minute in UTC. */
export type WebhookSearch = { tab?: string; q?: string; status?: Status; type?: string; since?: string }

export const readWebhookSearch = (search: Record<string, unknown>): WebhookSearch => ({
  tab: text(search.tab),
  q: text(search.q),
  status: STATUSES.find(({ value }) => value === search.status)?.value,
  type: text(search.type),
  since: sinceOf(text(search.since)),
})

/** `2026-11-27T10:00` */
const TO_THE_MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/

/** Returns a period or an instant that can be read. */
export function sinceOf(since: string | undefined): string | undefined {
  if (since === undefined || PERIODS.some(({ value }) => value === since)) return since
  return TO_THE_MINUTE.test(since) && parseInstant(`${since}:00Z`) ? since : undefined
}

/** Returns the filter of a search. A period begins at a full minute, so that it stays the same for that long. */
export function filterOf({ q, status, type, since }: WebhookSearch, now: number): DeliveryFilter {
  const period = PERIODS.find(({ value }) => value === since)
  const from = period ? new Date(Math.floor((now - period.ms) / MINUTE_MS) * MINUTE_MS).toISOString() : `${since}:00Z`
  return {
    ...(q?.trim() && { search: q.trim() }),
    ...(status && { status }),
    ...(type && { type }),
    ...(since && { since: from }),
  }
}
