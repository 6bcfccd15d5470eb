import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { pauseForecast } from '../attempts/auto-pause-rules.ts'
import { EVERY_PROVIDER } from '../rules.ts'
import type { Subscription, WebhookFilter, WebhookView } from '../schema.ts'

/** Locks a workspace while one of its limits is checked. Returns how many webhooks it has. */
export async function countUnderLock(tx: Tx, workspaceId: string): Promise<number> {
  const [workspace] = await tx`select from workspace where workspace_id = ${workspaceId} for no key update`
  if (!workspace) throw new AppError('not_found', 'There is no such workspace.')
  const [row] = await tx<{ webhooks: number }[]>`
    select count(*)::integer as webhooks from webhook where workspace_id = ${workspaceId}`
  return row!.webhooks
}

export async function insertWebhook(
  tx: Tx,
  at: Instant,
  webhook: { workspaceId: string; name: string; url: string },
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into webhook (workspace_id, name, url, created_at, updated_at)
    values (${webhook.workspaceId}, ${webhook.name}, ${webhook.url}, ${at}, ${at})
    returning webhook_id as id`
  return row!.id
}

/** Saves name and URL. Another URL starts the count of failures again; a paused webhook stays paused. */
export async function updateWebhook(
  tx: Tx,
  at: Instant,
  webhook: { id: string; name: string; url: string },
): Promise<void> {
  await tx`
    update webhook
    set name = ${webhook.name}, updated_at = ${at},
        failures_in_row = case when url = ${webhook.url} then failures_in_row else 0 end,
        first_failure_at = case when url = ${webhook.url} then first_failure_at end,
        url = ${webhook.url}
    where webhook_id = ${webhook.id}`
}

/** Ends the version in force and begins another: what was published before is still matched with the old one. */
export async function writeVersion(tx: Tx, at: Instant, id: string, wanted: Subscription): Promise<void> {
  const filters = Object.entries(wanted.filters).map(([provider, filter]) => ({ provider, ...filter }))
  const slugs = wanted.providers.filter((provider) => provider !== EVERY_PROVIDER)
  await tx`update webhook_version set valid_to = ${at} where webhook_id = ${id} and valid_to is null`
  await tx`
    insert into webhook_version (webhook_id, valid_from, event_types, every_provider, providers, by_groups, min_significance, min_change)
    values (${id}, ${at}, ${wanted.eventTypes}::text[], ${wanted.providers.includes(EVERY_PROVIDER)},
            ${slugs}::text[], ${wanted.aliases.length > 0}, ${wanted.minSignificance}, ${wanted.minChange})`
  await tx`
    insert into webhook_filter (webhook_id, valid_from, provider, resources, documents)
    select ${id}, ${at}, f.provider, f.resources, f.documents
    from jsonb_to_recordset(${tx.json(filters)}::jsonb) as f (provider text, resources text[], documents text[])`
  await tx`
    insert into webhook_group (webhook_id, valid_from, position, group_id)
    select ${id}, ${at}, g.position, g.id
    from unnest(${wanted.aliases}::uuid[]) with ordinality as g (id, position)`
}

type Row = Omit<
  WebhookView,
  'providers' | 'filters' | 'pausedAt' | 'pausedReason' | 'willPause' | 'previousSecretUntil'
> & {
  firstFailureAt: Instant | null
  pausedAt: Instant | null
  pausedReason: string | null
  previousSecretUntil: Instant | null
  everyProvider: boolean
  slugs: string[]
  filters: ({ provider: string } & WebhookFilter)[]
}

/** The webhooks of a workspace, or one of them, oldest first, as they are now. */
export async function readWebhooks(db: Db, workspaceId: string, id?: string): Promise<WebhookView[]> {
  const rows = await db<Row[]>`
    select w.webhook_id as id, w.workspace_id as "workspaceId", w.name, w.url, w.state, w.paused_at as "pausedAt",
           w.paused_reason as "pausedReason", w.failures_in_row as "failuresInRow",
           w.first_failure_at as "firstFailureAt", w.created_at as "createdAt",
           w.updated_at as "updatedAt", v.event_types as "eventTypes", v.every_provider as "everyProvider",
           v.providers as slugs, v.min_significance as "minSignificance", v.min_change::float8 as "minChange",
           (select max(s.signs_until) from webhook_secret s
            where s.webhook_id = w.webhook_id and s.signs_until > clock_timestamp()) as "previousSecretUntil",
           (select coalesce(json_agg(json_build_object('provider', f.provider, 'resources', f.resources,
                                                       'documents', f.documents) order by f.provider), '[]')
            from webhook_filter f
            where f.webhook_id = v.webhook_id and f.valid_from = v.valid_from) as filters,
           (select coalesce(json_agg(json_build_object('id', g.group_id, 'name', a.name,
                                                       'deleted', a.deleted_at is not null) order by g.position), '[]')
            from webhook_group g join alias_group a using (group_id)
            where g.webhook_id = v.webhook_id and g.valid_from = v.valid_from) as aliases
    from webhook w
    join webhook_version v on v.webhook_id = w.webhook_id and v.valid_to is null
    where w.workspace_id = ${workspaceId} and (${id ?? null}::uuid is null or w.webhook_id = ${id ?? null})
    order by w.created_at, w.webhook_id`
  return rows.map(viewOf)
}

function viewOf({
  pausedAt,
  pausedReason,
  firstFailureAt,
  previousSecretUntil,
  everyProvider,
  slugs,
  filters,
  ...row
}: Row): WebhookView {
  const { failuresInRow, state } = row
  const streak = { failuresInRow, firstFailureAt: firstFailureAt ?? undefined }
  const willPause = state === 'active' ? pauseForecast(streak) : undefined
  return {
    ...row,
    ...(pausedAt && { pausedAt }),
    ...(pausedReason && { pausedReason }),
    ...(willPause && { willPause }),
    ...(previousSecretUntil && { previousSecretUntil }),
    providers: everyProvider ? [EVERY_PROVIDER, ...slugs] : slugs,
    filters: Object.fromEntries(filters.map(({ provider, ...filter }) => [provider, filter])),
  }
}
