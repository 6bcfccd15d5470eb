import { z } from 'zod'
import type { Json } from '../lib/canonical-json.ts'

/** Everything that the audit log records. A name never changes: entries outlive it. */
export const AUDIT_ACTIONS = [
  'account_created', 'account_deleted', 'account_disabled', 'account_enabled', 'account_renamed', 'alias_group_deleted',
  'alias_group_saved', 'alias_proposals_accepted', 'check_requested', 'deliveries_resent', 'delivery_resent', 'email_changed', 'email_verified',
  'feed_created', 'feed_deleted', 'identities_reset', 'identity_linked', 'identity_unlinked',
  'invitation_accepted', 'invitation_sent', 'invitation_withdrawn', 'join_refused', 'key_changed', 'key_created', 'key_deleted', 'member_left',
  'member_removed', 'operator_added', 'operator_removed', 'passkey_added', 'passkey_removed', 'passkey_renamed',
  'passkeys_reset', 'password_changed', 'password_reset', 'price_corrected',
  'price_restored', 'quota_changed', 'price_withdrawn', 'review_approved', 'review_edited', 'review_rejected', 'rights_kept', 'role_changed',
  'second_factor_off', 'second_factor_on', 'second_factor_reset', 'secret_revealed', 'secret_rotated', 'sessions_ended', 'signed_in', 'source_requested', 'watch_changed', 'watch_created',
  'watch_deleted', 'watch_unsubscribed', 'webhook_changed',
  'webhook_created', 'webhook_deleted', 'webhook_paused', 'webhook_resumed', 'webhook_tested', 'workspace_created',
  'workspace_deleted', 'workspace_renamed',
] as const // biome-ignore format: a vocabulary reads best in lines
const auditAction = z.enum(AUDIT_ACTIONS)
export type AuditAction = z.infer<typeof auditAction>

/** What an action is about. */
export type AuditAbout = {
  /** Who acts; the sender of the request when left out. */
  accountId?: string
  workspaceId?: string
  /** What is acted on: its id, or its name where that is its id. */
  subject?: string
  /** Never a secret. */
  detail?: { [name: string]: Json }
}

/** The sender of a request. */
export type Requester = { accountId?: string; email?: string; workspaceId?: string; address?: string }
