import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import type { Context } from '../../../src/context.ts'
import { readConfig } from '../../../src/lib/config.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { createIsolation } from '../../../src/lib/isolation/isolation.ts'
import { seal } from '../../../src/lib/seal.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { createMailer } from '../../../src/mail/create-mailer.ts'

/** The key that seals secrets in tests. */
export const TEST_KEY = new Uint8Array(32).fill(7)
export const TEST_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const NO_SOURCES = fileURLToPath(new URL('../no-sources.json', import.meta.url))

/** A context whose receivers may be on 127.0.0.1, and whose checks collect nothing. */
export function testContext(sql: Sql, temporal: Context['temporal'], env: Record<string, string> = {}): Context {
  const settings = { NODE_ENV: 'test', PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true', PRICETAPE_SOURCES: NO_SOURCES }
  const config = readConfig({ ...settings, ...env })
  return {
    config,
    log: pino({ level: 'silent' }),
    sql,
    temporal,
    secretKey: TEST_KEY,
    isolation: createIsolation(),
    ...(config.mail && { mailer: createMailer(config.mail) }),
  } as Context
}

/** A workspace with one webhook that sends to `url`. */
export async function addWebhook(
  sql: Sql,
  { url, at, workspaceId = randomUUID() }: { url: string; at: Instant; workspaceId?: string },
): Promise<{ workspaceId: string; id: string }> {
  const id = randomUUID()
  const { keyId, sealed } = seal(TEST_KEY, TEST_SECRET, `webhook/${id}`)
  await sql`
    insert into workspace (workspace_id, name, created_at) values (${workspaceId}, 'Acme', ${at}) on conflict do nothing`
  await sql`
    insert into webhook (webhook_id, workspace_id, name, url, created_at, updated_at)
    values (${id}, ${workspaceId}, 'Orders', ${url}, ${at}, ${at})`
  await sql`
    insert into webhook_secret (webhook_id, key_id, sealed, created_at) values (${id}, ${keyId}, ${sealed}, ${at})`
  return { workspaceId, id }
}

/** Events with deliveries to a webhook, one each, due at `at`, oldest first. Returns the deliveries' ids. */
export async function addDeliveries(
  sql: Sql,
  webhook: { workspaceId: string; id: string },
  { count = 1, at, body = '{"price":"0.0000025"}' }: { count?: number; at: Instant; body?: string },
): Promise<string[]> {
  const ids: string[] = []
  // A statement ends after a minute, in which a machine under load does not make 10,000.
  for (let made = 0; made < count; made += MOST_AT_ONCE)
    ids.push(...(await addAtOnce(sql, webhook, { count: Math.min(MOST_AT_ONCE, count - made), at, body })))
  return ids
}

const MOST_AT_ONCE = 2_000

async function addAtOnce(
  sql: Sql,
  webhook: { workspaceId: string; id: string },
  { count, at, body }: { count: number; at: Instant; body: string },
): Promise<string[]> {
  return sql.begin(async (tx) => {
    // As the publication clock does it: one after the other, so that no number is given twice.
    await tx`select from publication_clock for update`
    const rows = await tx<{ id: string }[]>`
    with first as (select coalesce(max(seq), 0) as seq from event),
    made as (
      insert into event (seq, event_id, type, provider, eligible_at, body, matched_at)
      select first.seq + n, 'evt_' || gen_random_uuid(), 'price.changed', 'openai', ${at}, ${body}, ${at}
      from first, generate_series(1, ${count}) as n
      returning event_id, seq)
    insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
    select ${webhook.id}, ${webhook.workspaceId}, event_id, ${at}, ${at} from made order by seq
    returning delivery_id as id`
    await tx`update publication_clock set last_seq = (select coalesce(max(seq), 0) from event)`
    return rows.map((row) => row.id)
  })
}

/** Webhooks of a workspace, each with a delivery of each of these events. Returns the webhook of each delivery. */
export async function addCrowd(sql: Sql, { workspaceId, eventIds, count, at, dueAt = at }: Crowd): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with made as (
      insert into webhook (workspace_id, name, url, created_at, updated_at)
      select ${workspaceId}, 'Crowd', 'https://example.com', ${at}, ${at} from generate_series(1, ${count}::integer)
      returning webhook_id, workspace_id)
    insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
    select webhook_id, workspace_id, event_id, ${dueAt}, ${at} from made, unnest(${eventIds}::text[]) as event_id
    returning webhook_id as id`
  return rows.map(({ id }) => id)
}
type Crowd = { workspaceId: string; eventIds: string[]; count: number; at: Instant; dueAt?: Instant }
