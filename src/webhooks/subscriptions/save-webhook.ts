import { findGroups } from '../../aliases/group-store.ts'
import { databaseNow, publishing } from '../../catalog/clock-store.ts'
import { knownProviders } from '../../catalog/provider-store.ts'
import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { AppError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { EVERY_PROVIDER, MAX_WEBHOOKS_PER_WORKSPACE } from '../rules.ts'
import {
  type Subscription,
  type WebhookBody,
  type WebhookPatch,
  type WebhookView,
  webhookBody,
  webhookPatch,
} from '../schema.ts'
import { addSecret, newestSecret, type RevealedSecret, retireSecret } from './secret-store.ts'
import { checkFiltersAreCovered, checkProvidersAreKnown, isId, narrowing, readBody } from './subscription-rules.ts'
import {
  insertWebhook,
  lockWebhook,
  lockWorkspace,
  readWebhooks,
  updateEndpoint,
  writeVersion,
} from './webhook-store.ts'

/** What saving a webhook needs from outside: the key that seals secrets, and the rules for its URL. */
export type WebhookTools = {
  secretKey: Uint8Array
  /** Resolves the host; @throws AppError invalid_url. Called outside any transaction. */
  checkUrl: (url: string) => Promise<unknown>
}
/** Which webhook, and on whose behalf: a webhook of another workspace is not found. */
export type WebhookRef = { workspaceId: string; id: string }

/**
 * Creates a webhook: it receives what is published from now on.
 * @throws AppError invalid_body with `field`, invalid_url, webhook_limit, not_found (the workspace)
 */
export async function createWebhook(
  sql: Sql,
  tools: WebhookTools,
  workspaceId: string,
  body: WebhookBody,
): Promise<{ webhook: WebhookView; secret: string }> {
  const wanted = readBody(webhookBody, body)
  await tools.checkUrl(wanted.url)
  return publishing(sql, async (tx, { at }) => {
    if ((await lockWorkspace(tx, checkedId(workspaceId))) >= MAX_WEBHOOKS_PER_WORKSPACE) {
      throw new AppError('webhook_limit', `A workspace holds at most ${MAX_WEBHOOKS_PER_WORKSPACE} webhooks.`)
    }
    const subscription = await resolve(tx, wanted, [])
    const id = await insertWebhook(tx, at, { workspaceId, name: wanted.name, url: wanted.url })
    await writeVersion(tx, at, id, subscription)
    const secret = await addSecret(tx, tools.secretKey, id, at)
    return { webhook: (await readWebhooks(tx, workspaceId, id))[0]!, secret }
  })
}

/**
 * Saves an edit: what the patch does not name stays. Events published before are still matched with the webhook as it
 * was. A paused webhook stays paused; another URL starts its count of failures again. Callers use `editWebhook`
 * (operations.ts), which also tells the webhook's workflow.
 */
export async function updateWebhook(
  sql: Sql,
  tools: Pick<WebhookTools, 'checkUrl'>,
  { workspaceId, id }: WebhookRef,
  body: WebhookPatch,
): Promise<{ webhook: WebhookView; urlChanged: boolean }> {
  const patch = readBody(webhookPatch, body)
  if (patch.url !== undefined) await tools.checkUrl(patch.url)
  return publishing(sql, async (tx, { at }) => {
    await lockWebhook(tx, checkedId(workspaceId), checkedId(id))
    const before = (await readWebhooks(tx, workspaceId, id))[0]!
    const stood = subscriptionOf(before)
    const subscription = await resolve(tx, edited(stood, patch), stood.aliases)
    const { name = before.name, url = before.url } = patch
    await updateEndpoint(tx, at, { id, name, url })
    if (differs(subscription, stood)) await writeVersion(tx, at, id, subscription)
    return { webhook: (await readWebhooks(tx, workspaceId, id))[0]!, urlChanged: url !== before.url }
  })
}

/** The webhooks of a workspace, oldest first. */
export const listWebhooks = (db: Db, workspaceId: string): Promise<WebhookView[]> =>
  readWebhooks(db, checkedId(workspaceId))

/** @throws AppError not_found */
export async function getWebhook(db: Db, { workspaceId, id }: WebhookRef): Promise<WebhookView> {
  const [webhook] = await readWebhooks(db, checkedId(workspaceId), checkedId(id))
  if (!webhook) throw notFound()
  return webhook
}

/** The newest secret; during a rotation, also until when the one before it is accepted. */
export async function revealSecret(
  db: Db,
  secretKey: Uint8Array,
  webhook: WebhookRef,
  now?: Instant,
): Promise<RevealedSecret> {
  const { id } = await getWebhook(db, webhook)
  const revealed = await newestSecret(db, secretKey, id, now ?? (await databaseNow(db)))
  if (!revealed) throw new Error(`webhook ${id} has no secret`)
  return revealed
}

/** A new secret. For 24 hours every delivery is signed with the one before it too; afterwards only with the new one. */
export async function rotateSecret(
  sql: Sql,
  secretKey: Uint8Array,
  { workspaceId, id }: WebhookRef,
  now?: Instant,
): Promise<RevealedSecret> {
  await sql.begin(async (tx) => {
    await lockWebhook(tx, checkedId(workspaceId), checkedId(id))
    const at = now ?? (await databaseNow(tx))
    await retireSecret(tx, id, at)
    await addSecret(tx, secretKey, id, at)
  })
  return revealSecret(sql, secretKey, { workspaceId, id }, now)
}

/** What is stored: known providers, filters that narrow, groups as ids. Groups already held may have been deleted. */
async function resolve(tx: Tx, wanted: Subscription, held: string[]): Promise<Subscription> {
  const { eventTypes, providers } = wanted
  const filters = narrowing(wanted.filters)
  checkFiltersAreCovered({ providers, filters })
  const slugs = [...providers, ...Object.keys(filters)].filter((provider) => provider !== EVERY_PROVIDER)
  checkProvidersAreKnown({ providers, filters }, await knownProviders(tx, slugs))
  const found = await findGroups(tx, wanted.aliases)
  const aliases = wanted.aliases.map((reference) => {
    const id = found.get(reference)?.id ?? held.find((group) => group === reference)
    if (id) return id
    throw new AppError('invalid_body', `aliases: there is no alias group ${reference}.`, { field: 'aliases' })
  })
  return { eventTypes, providers, filters, aliases: [...new Set(aliases)] }
}

const subscriptionOf = (webhook: WebhookView): Subscription => ({
  eventTypes: webhook.eventTypes as Subscription['eventTypes'],
  providers: webhook.providers,
  filters: webhook.filters,
  aliases: webhook.aliases.map((group) => group.id),
})

const edited = (stood: Subscription, patch: Partial<Subscription>): Subscription => ({
  eventTypes: patch.eventTypes ?? stood.eventTypes,
  providers: patch.providers ?? stood.providers,
  filters: patch.filters ?? stood.filters,
  aliases: patch.aliases ?? stood.aliases,
})

const differs = (a: Subscription, b: Subscription): boolean => canonicalJson(a as Json) !== canonicalJson(b as Json)

const notFound = () => new AppError('not_found', 'There is no such webhook in this workspace.')

function checkedId(id: string): string {
  if (!isId(id)) throw notFound()
  return id
}
