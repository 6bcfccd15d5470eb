import type { EventDraft } from '../../src/events/schema.ts'
import type { Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { createWatch } from '../../src/watches/create-watch.ts'
import { planMails } from '../../src/watches/plan-mails.ts'
import { watchBody } from '../../src/watches/schema.ts'
import { addAccount } from '../support/accounts.ts'
import { addProviders } from '../support/webhooks/subscriptions.ts'

/** Two providers, one of them priced in credits, with models and a document; no digest is due, whatever the time of day. */
export async function addCatalogue(sql: Sql): Promise<void> {
  await sql`update watch_plan set planned_at = clock_timestamp()`
  await addProviders(sql, ['openai', 'azure', 'credits'], ['credits'])
  await sql`
    insert into source (source, kind, format, interval_seconds)
    values ('list', 'prices', 'curated', 3600), ('terms', 'terms', 'curated', 3600) on conflict do nothing`
  for (const provider of ['openai', 'azure', 'credits'])
    await sql`
      insert into resource (source, provider, resource, first_priced_at)
      select 'list', ${provider}, r, now() from unnest(array['gpt-5', 'gpt-5-mini']) as r`
  await sql`
    insert into document (source, provider, document, title, url, updated_at)
    values ('terms', 'openai', 'terms-of-use', 'Terms of use', 'https://openai.example/terms', now())`
}

let people = 0
/** Someone who watches these, each at once if nothing else is said. */
export async function watcher(sql: Sql, ...watches: object[]) {
  const account = await addAccount(sql, `w${people++}@example.com`)
  const ids: string[] = []
  for (const watch of watches)
    ids.push((await createWatch(sql, account.accountId, watchBody.parse({ frequency: 'at_once', ...watch }))).watchId)
  return { ...account, ids }
}

/** A price per token that changed. */
export const changed = (before: string, after: string, given: Partial<EventDraft> = {}): EventDraft => {
  const { provider = 'openai', resources = ['gpt-5'] } = given
  const line = { dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD', pricingTier: {} }
  const payload = { resource: resources[0]!, ...line, previous: { price: before }, current: { price: after } }
  return { type: 'price.changed', provider, payload, resources, members: resources, ...given }
}

export const documentChanged: EventDraft = {
  type: 'tos.changed',
  provider: 'openai',
  document: 'terms-of-use',
  payload: {
    document: 'terms-of-use',
    title: 'Terms of use',
    classification: 'substantive',
    previous: { versionId: 'a1', recordedAt: '2026-01-01T00:00:00.000Z' },
    current: { versionId: 'b2', recordedAt: '2026-02-01T00:00:00.000Z' },
  },
}

/** Later than any digest that is planned at a start: `07:00` of a Monday. */
export const MONDAY = '2099-01-05T07:00:00.000Z' as Instant
/** Returns how many mails are due then. */
export async function plan(sql: Sql, now?: Instant): Promise<number> {
  await planMails(sql, now ?? (new Date().toISOString() as Instant))
  return (await sql`select from outbox_mail where state = 'waiting' and next_try_at <= clock_timestamp()`).length
}

/** How many changes the mails that wait have, by watch. */
export async function planned(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ id: string; changes: number }[]>`
    select part ->> 'watchId' as id, sum((part ->> 'changes')::integer)::integer as changes
    from outbox_mail, jsonb_array_elements(facts -> 'parts') as part group by 1`
  return Object.fromEntries(rows.map(({ id, changes }) => [id, changes]))
}
