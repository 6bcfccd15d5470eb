import { randomBytes } from 'node:crypto'
import { publishing } from '../../../src/catalog/clock/clock-store.ts'
import type { EventDraft } from '../../../src/events/schema.ts'
import { recordEvents } from '../../../src/events/store.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import type { Operator } from '../../../src/webhooks/manage/operator.ts'
import { matchEvents } from '../../../src/webhooks/matching/match-events.ts'
import type { WebhookBody } from '../../../src/webhooks/schema.ts'
import { createWebhook } from '../../../src/webhooks/subscriptions/create-webhook.ts'
import type { WebhookTools } from '../../../src/webhooks/subscriptions/resolve-subscription.ts'

/** What saving a webhook needs, with every URL allowed: what URLs are is tested elsewhere, with real resolvers. */
export const tools: WebhookTools = { secretKey: randomBytes(32), checkUrl: async () => {} }

/** An operator whose webhooks have no workflows to notify. */
export const operator = (sql: Sql): Operator => ({ sql, workflows: { notifyWebhook: async () => {} } })

export async function addWorkspace(sql: Sql, name = 'Acme'): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into workspace (name, created_at) values (${name}, clock_timestamp()) returning workspace_id as id`
  return row!.id
}

/** Puts providers into the directory, pending: enough for webhooks and groups to name them. */
export async function addProviders(sql: Sql, providers: string[], creditPriced: string[] = []): Promise<void> {
  await sql`
    with added as (
      insert into provider (provider, name, created_at)
      select p, initcap(p), clock_timestamp() from unnest(${providers}::text[]) as p returning *
    )
    insert into provider_pricing (provider, at, in_credits, in_usd)
    select provider, created_at, provider = any (${creditPriced}::text[]), false from added`
}

export const everyType = [
  'price.changed',
  'resource.added',
  'tos.changed',
  'price.revised',
  'price.corrected',
  'resource.removed',
  'resource.renamed',
  'provider.added',
  'alias.member_added',
  'alias.member_removed',
] as const

/** A webhook for all event types of every provider, but for what is given. */
export async function addWebhook(sql: Sql, workspaceId: string, given: Partial<WebhookBody> = {}): Promise<string> {
  const body = {
    name: 'hook',
    url: 'https://hooks.example.com/',
    eventTypes: [...everyType],
    providers: ['*'],
    ...given,
  }
  return (await createWebhook(sql, tools, workspaceId, body)).webhook.id
}

/** Records events in one publication; returns their ids. */
export const record = (sql: Sql, ...drafts: EventDraft[]): Promise<string[]> =>
  publishing(sql, (tx, stamp) => recordEvents(tx, stamp, drafts))

/** Matches everything unmatched. */
export async function matchAll(sql: Sql): Promise<number> {
  for (let deliveries = 0; ; ) {
    const done = await matchEvents(sql, { now: '2027-01-01T00:00:00.000Z' as never })
    if (!done) return deliveries
    deliveries += done.deliveries
  }
}

/** The webhooks that an event was matched to, with the alias each delivery carries. */
export async function receivers(sql: Sql, eventId: string): Promise<Map<string, string | undefined>> {
  const rows = await sql<{ id: string; alias: string | null }[]>`
    select webhook_id as id, alias from delivery where event_id = ${eventId}`
  return new Map(rows.map((row) => [row.id, row.alias ?? undefined]))
}
