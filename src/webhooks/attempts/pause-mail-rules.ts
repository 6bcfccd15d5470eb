import { nameInMail } from '../../lib/text/mail-names.ts'
import type { PauseMail } from './pause-mail-store.ts'

/** Returns the mail about a webhook that its failures have paused. `origin` is the address of the app. */
export function pauseMailOf(mail: PauseMail, origin: string): { to: string; text: string } {
  const { email, webhook, workspace, workspaceId, webhookId, pausedAt, reason } = mail
  const text = `The webhook "${nameInMail(webhook)}" of the workspace "${nameInMail(workspace)}" was paused at ${pausedAt}. ${reason}

Nothing is sent until it is resumed. What becomes due meanwhile is kept for 30 days and
can be resent: correct the endpoint, then choose "Resume and resend".

${origin}/webhooks/${webhookId}?workspace=${workspaceId}

You get this mail because you are an admin of the workspace.`
  return { to: email, text }
}
