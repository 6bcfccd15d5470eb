import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { retryAfter } from '../limits/rate-limit-rules.ts'
import { type Acting, withLockedWorkspace } from '../members/authorize.ts'
import type { Role } from '../members/member-schema.ts'
import { isMemberEmail } from '../members/member-store.ts'
import { newToken } from '../new-token.ts'
import { emailKey } from '../users/email-rules.ts'
import { linkTo } from '../users/links/link-rules.ts'
import type { AccountMail } from '../users/mail/account-mail.ts'
import { invitationMail } from '../users/mail/mail-rules.ts'
import { type InvitationLimit, MOST_INVITATIONS } from './invitation-rules.ts'
import type { InvitationView } from './invitation-schema.ts'
import {
  findInvitation,
  insertInvitation,
  invitationWait,
  lockRecipient,
  withdrawInvitationsTo,
} from './invitation-store.ts'

/**
 * Invites an address to a workspace, in place of an earlier invitation to it. The answer is the same whether or not an
 * account has the address. The link is returned only where no mail server is set.
 * @throws AppError not_found, forbidden, already_member, invitation_limit with `retryAfter`
 */
export async function sendInvitation(
  sql: Sql,
  mail: AccountMail,
  acting: Acting,
  { email, role }: { email: string; role: Role },
): Promise<InvitationView & { link?: string }> {
  const token = newToken()
  const mailed = mail.outbox !== undefined
  const link = linkTo(mail.origin, 'invitation', token)
  const sent = await withLockedWorkspace(sql, acting, 'admin', async (tx) => {
    const { workspaceId, accountId: invitedBy } = acting
    if (await isMemberEmail(tx, workspaceId, emailKey(email))) {
      throw new AppError('already_member', 'This address belongs to a member already.')
    }
    await lockRecipient(tx, email)
    await requireWithinLimits(tx, { workspaceId, invitedBy, email })
    await withdrawInvitationsTo(tx, workspaceId, email)
    const made = await insertInvitation(tx, { workspaceId, email, role, token, mailed, invitedBy })
    await recordAction(tx, 'invitation_sent', { ...acting, subject: email, detail: { role } })
    const found = (await findInvitation(tx, token))!
    const text = invitationMail({ workspaceId, workspace: found.workspace, invitedBy: found.invitedBy, link })
    return { ...made, ...found, send: await mail.outbox?.write(tx, { to: email, ...text }) }
  })
  sent.send?.()
  const { invitationId, createdAt, expiresAt, invitedBy } = sent
  return { invitationId, email, role, invitedBy, createdAt, expiresAt, ...(!mailed && { link }) }
}

/** @throws AppError invitation_limit, with the wait after which no limit refuses it any more */
async function requireWithinLimits(tx: Tx, sent: Parameters<typeof invitationWait>[2]): Promise<void> {
  let longest: { limit: InvitationLimit; wait: number } | undefined
  for (const limit of Object.keys(MOST_INVITATIONS) as InvitationLimit[]) {
    const wait = await invitationWait(tx, limit, sent)
    if (wait > (longest?.wait ?? 0)) longest = { limit, wait }
  }
  if (longest) throw invitationLimit(longest.limit, longest.wait)
}

const COUNTED: Record<InvitationLimit, string> = {
  workspace: 'A workspace sends',
  inviter: 'A person sends',
  recipient: 'An address gets',
}

function invitationLimit(limit: InvitationLimit, waitSeconds: number): AppError {
  const seconds = retryAfter(waitSeconds)
  const message = `${COUNTED[limit]} at most ${MOST_INVITATIONS[limit]} invitations in 24 hours: wait ${seconds} s.`
  return new AppError('invitation_limit', message, { retryAfter: seconds })
}
