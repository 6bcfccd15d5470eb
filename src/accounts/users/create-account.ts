import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { useInvitation } from '../invitations/invitation-store.ts'
import { createdByFirstAccount } from '../keys/api-key-store.ts'
import type { Role } from '../members/member-schema.ts'
import { insertMember } from '../members/member-store.ts'
import { readName } from '../name-rules.ts'
import { type Device, startSession } from '../sessions/start-session.ts'
import { checkRoomForMember } from '../workspaces/keep-to-quota.ts'
import { firstWorkspace } from '../workspaces/workspace-store.ts'
import type { Account } from './account-schema.ts'
import { accountExists, insertAccount, lockFirstAccount } from './account-store.ts'
import { invalidLink } from './links/invalid-link.ts'
import { useLink } from './links/link-store.ts'
import { hashPassword } from './password.ts'
import { checkPasswordIsNotEmail } from './password-rules.ts'

type CreateAccountInput = {
  /** Of an invitation, of a sign-up, or of the link to the first account. */
  token: string
  name: string
  password: string
  /** For the first account alone: other links are for one address. */
  email?: string
}
/** What a link entitles its holder to. */
type Entitlement = { email: string; verified: boolean; operator: boolean; workspaceId?: string; role?: Role }

/**
 * Creates the account that a link entitles to, and signs it in.
 * @param options.mailWorks whether links reach people by mail, which proves their address
 * @param options.firstAlone whether only the first account is created so
 * @throws AppError invalid_link, invalid_body with `field`, account_exists
 */
export async function createAccount(
  sql: Sql,
  given: CreateAccountInput,
  device: Device,
  { mailWorks, firstAlone = false }: { mailWorks: boolean; firstAlone?: boolean },
): Promise<{ account: Account; sessionToken: string }> {
  const name = readName(given.name)
  const passwordHash = await hashPassword(given.password)
  return sql.begin(async (tx) => {
    const entitled = firstAlone ? await useFirstLink(tx, given) : await useAnyLink(tx, given, mailWorks)
    const { email, operator, verified, workspaceId, role } = entitled
    checkPasswordIsNotEmail(given.password, email)
    const account = await insertAccount(tx, { email, name, passwordHash, operator, verified })
    if (!account) {
      throw new AppError('account_exists', 'There is an account with this address: sign in, then open the link again.')
    }
    const { accountId } = account
    if (workspaceId) await checkRoomForMember(tx, workspaceId)
    if (workspaceId && role) await insertMember(tx, { workspaceId, accountId, role })
    if (workspaceId && operator) await createdByFirstAccount(tx, { workspaceId, accountId })
    await recordAction(tx, 'account_created', { accountId, workspaceId, detail: { operator } })
    return { account, sessionToken: await startSession(tx, accountId, device) }
  })
}

async function useAnyLink(tx: Tx, given: CreateAccountInput, mailWorks: boolean): Promise<Entitlement> {
  const { token } = given
  const invitation = await useInvitation(tx, token)
  if (invitation) return { ...invitation, verified: invitation.mailed, operator: false }
  const signedUp = await useLink(tx, 'sign_up', token)
  if (signedUp !== undefined) return { email: signedUp, verified: mailWorks, operator: false }
  return useFirstLink(tx, given)
}

async function useFirstLink(tx: Tx, { token, email }: CreateAccountInput): Promise<Entitlement> {
  if ((await useLink(tx, 'first_account', token)) === undefined) throw invalidLink()
  await lockFirstAccount(tx)
  if (await accountExists(tx)) throw invalidLink()
  if (email === undefined) throw new AppError('invalid_body', 'email: is missing', { field: 'email' })
  return { email, verified: false, operator: true, workspaceId: await firstWorkspace(tx), role: 'admin' }
}
