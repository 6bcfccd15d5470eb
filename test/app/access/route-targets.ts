import { sendInvitation } from '../../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../../src/accounts/keys/create-api-key.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { sendTestEvent } from '../../../src/webhooks/manage/send-test-event.ts'
import { createWebhook } from '../../../src/webhooks/subscriptions/create-webhook.ts'
import { addMember, silentMail } from '../../support/accounts.ts'
import { SECRET_KEY } from '../../support/app/app.ts'
import { operator } from '../../support/webhooks/subscriptions.ts'
import { hook, NOBODY } from './route-table.ts'

/** A workspace with its admin, a member, and another member who may be removed; by their accounts' ids. */
export type Targets = { workspaceId: string; admin: string; member: string; guest: string }

/** Returns a request with what it names, made for it, in a workspace that is as it was, with room below every limit. */
export async function prepared(sql: Sql, request: string, targets: Targets): Promise<string> {
  const { workspaceId, admin, member, guest } = targets
  await sql`delete from workspace_member where workspace_id = ${workspaceId} and account_id <> ${admin}`
  await addMember(sql, workspaceId, member, 'member')
  await addMember(sql, workspaceId, guest, 'member')
  await sql`delete from invitation`
  await sql`delete from webhook where workspace_id = ${workspaceId}`
  await sql`delete from sign_in_failure`
  return filled(sql, request, targets)
}

async function filled(sql: Sql, request: string, { workspaceId, admin, guest }: Targets): Promise<string> {
  const acting = { workspaceId, accountId: admin }
  let path = request.replace('?workspace=', `?workspace=${workspaceId}`).replace(':workspaceId', workspaceId)
  path = path.replace(':accountId', guest).replace(/:(sessionId|itemId|groupId|passkeyId|identityId|watchId)/, NOBODY)
  if (path.includes(':invitationId')) {
    const invited = await sendInvitation(sql, silentMail(), acting, { email: 'x@example.com', role: 'member' })
    path = path.replace(':invitationId', invited.invitationId)
  }
  if (path.includes(':keyId'))
    path = path.replace(':keyId', (await createApiKey(sql, { workspaceId, name: 'k' })).keyId)
  if (!path.includes(':webhookId') && !request.startsWith('DELETE /v1/workspaces')) return path
  const tools = { secretKey: Buffer.from(SECRET_KEY, 'base64'), checkUrl: async () => {} }
  const { webhook } = await createWebhook(sql, tools, workspaceId, { ...hook, eventTypes: ['price.changed'] })
  if (path.includes(':deliveryId'))
    path = path.replace(':deliveryId', (await sendTestEvent(operator(sql), webhook)).deliveryId)
  return path.replace(':webhookId', webhook.id)
}
