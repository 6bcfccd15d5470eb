import { nameInMail } from '../../lib/text/mail-names.ts'
import { MAIL_SUBJECTS, type MailSubject } from '../../lib/text/mail-subjects.ts'
import type { PauseMail } from './pause-mail-store.ts'

/** A mail to one person. `id` is the same however often it is sent. */
export type PersonalMail = { id: string; to: string; subject: MailSubject; text: string }

/** Returns the mail about a webhook that its failures have paused. `origin` is the address of the app. */
export function pauseMailOf(mail: PauseMail, origin: string): PersonalMail {
  const { email, accountId, webhook, workspace, workspaceId, webhookId, pausedAt, reason } = mail
  const text = `The webhook "${nameInMail(webhook)}" of the workspace "${nameInMail(workspace)}" was paused at ${pausedAt}. ${reason}

Nothing is sent until it is resumed. What becomes due meanwhile is kept for 30 days and
can be resent: correct the endpoint, then choose "Resume and resend".

${origin}/webhooks/${webhookId}?workspace=${workspaceId}

You get this mail because you are an admin of the workspace.`
  const id = `pause ${webhookId} ${pausedAt} ${accountId}`
  return { id, to: email, subject: MAIL_SUBJECTS.webhook_paused, text }
}
