import { sendInvitation } from '../../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import { foundWorkspace } from '../../../src/accounts/members/found-workspace.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { sendTestEvent } from '../../../src/webhooks/manage/send-test-event.ts'
import { createWebhook } from '../../../src/webhooks/subscriptions/create-webhook.ts'
import { addAccount, addMember, anotherSession, silentMail } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { operator } from '../../support/webhooks/subscriptions.ts'
import { hook } from './route-table.ts'

/** What belongs to a person or their workspace, by the name that requests have for it. */
export const OWNED = [
  'accountId',
  'deliveryId',
  'identityId',
  'invitationId',
  'keyId',
  'passkeyId',
  'sessionId',
  'watchId',
  'webhookId',
  'workspace',
  'workspaceId',
] as const
export type Belonging = (typeof OWNED)[number]

/** A signed-in user, the admin of a workspace, with one of everything. `accountId` is another member's. */
export type Person = { accountIds: string[]; sessionToken: string; ids: Record<Belonging, string> }

const tools = { secretKey: Buffer.from(SECRET_KEY, 'base64'), checkUrl: async () => {} }

/** Adds a person whose name is in everything of theirs. */
export async function addPerson(sql: Sql, name: string): Promise<Person> {
  const email = `${name}@example.com`
  const { accountId, sessionToken } = await addAccount(sql, email)
  const guest = await addAccount(sql, `${name}-guest@example.com`)
  const { workspaceId } = await foundWorkspace(sql, { accountId }, { name: `${name} and others` })
  await addMember(sql, workspaceId, guest.accountId, 'admin')
  await anotherSession(sql, email)
  const [session] = await sql<{ id: string }[]>`
    select session_id as id from session where account_id = ${accountId} order by session_id desc limit 1`
  const [passkey] = await sql<{ id: string }[]>`
    insert into passkey (account_id, name, credential_id, public_key, counter, transports, synced, created_at)
    values (${accountId}, ${`${name}'s laptop`}, ${name}, 'key', 0, '{}', false, now()) returning passkey_id as id`
  const [identity] = await sql<{ id: string }[]>`
    insert into account_identity (account_id, issuer, subject, email, created_at)
    values (${accountId}, 'https://id.example', ${name}, ${`${name}@work.example`}, now()) returning identity_id as id`
  const [watch] = await sql<{ id: string }[]>`
    insert into watch (account_id, provider, resource, frequency, after_seq, created_at, updated_at)
    values (${accountId}, 'acme', ${`${name}'s model`}, 'daily', 0, now(), now()) returning watch_id as id`
  const { keyId } = await createApiKey(sql, { workspaceId, name: `${name}'s key` })
  const acting = { workspaceId, accountId }
  const invited = { email: `${name}-invited@example.com`, role: 'member' as const }
  const { invitationId } = await sendInvitation(sql, silentMail(), acting, invited)
  const body = { ...hook, name: `${name}'s webhook`, eventTypes: ['price.changed' as const] }
  const { webhook } = await createWebhook(sql, tools, workspaceId, body)
  const { deliveryId } = await sendTestEvent(operator(sql), webhook)
  return {
    accountIds: [accountId, guest.accountId],
    sessionToken,
    ids: {
      ...{ accountId: guest.accountId, deliveryId, invitationId, keyId, workspace: workspaceId, workspaceId },
      ...{
        identityId: identity!.id,
        passkeyId: passkey!.id,
        sessionId: session!.id,
        watchId: watch!.id,
        webhookId: webhook.id,
      },
    },
  }
}

/** Returns every row of a person and their workspace, as text, by its table. */
export async function rowsOf(sql: Sql, { accountIds, ids }: Person): Promise<Record<string, string[]>> {
  const owners = { account_id: accountIds, workspace_id: [ids.workspaceId], webhook_id: [ids.webhookId] }
  const columns = await sql<{ table: string; column: keyof typeof owners }[]>`
    select table_name as table, column_name as column from information_schema.columns join pg_tables
           on (schemaname, tablename) = (table_schema, table_name)
    where table_schema = 'public' and column_name = any(${Object.keys(owners)}) order by 1, 2`
  const found: Record<string, string[]> = {}
  for (const { table, column } of columns) {
    const rows = await sql<{ row: string }[]>`
      select t::text as row from ${sql(table)} t where ${sql(column)} = any(${owners[column]}) order by 1`
    found[`${table} ${column}`] = rows.map(({ row }) => row)
  }
  return found
}
