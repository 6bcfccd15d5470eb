import { recordAction } from '../../audit/record-action.ts'
import { AppError } from '../../lib/errors.ts'
import type { OidcSettings } from '../../lib/oidc-settings.ts'
import type { Tx } from '../../lib/sql.ts'
import { isInvited } from '../invitations/invitation-store.ts'
import { createdByFirstAccount } from '../keys/api-key-store.ts'
import { insertMember } from '../members/member-store.ts'
import { accountExists, insertAccount, lockFirstAccount } from '../users/account-store.ts'
import { firstWorkspace } from '../workspaces/workspace-store.ts'
import type { Claims } from './identity-schema.ts'
import type { IdentityProvider } from './provider.ts'

type Person = Claims & { email: string }

/**
 * Makes an account for someone who has none: with a confirmed address, and without a password. The first account is an
 * operator's: only someone in an operator group gets it, with the first workspace, as through the link of the start screen.
 * @throws AppError forbidden
 */
export async function createAccountOf(tx: Tx, { settings }: IdentityProvider, person: Person): Promise<string> {
  await lockFirstAccount(tx)
  const isFirst = !(await accountExists(tx))
  const operator = inAny(person, settings.operatorGroups ?? [])
  if (isFirst && !operator) throw notFirst()
  if (!(await mayHaveAccount(tx, settings, person))) throw noAccount(settings.name)
  const { email, name } = person
  const made = (await insertAccount(tx, { email, name, passwordHash: null, operator, verified: true }))!
  const { accountId } = made
  const workspaceId = isFirst ? await firstWorkspace(tx) : undefined
  if (workspaceId) {
    await insertMember(tx, { workspaceId, accountId, role: 'admin' })
    await createdByFirstAccount(tx, { workspaceId, accountId })
  }
  await recordAction(tx, 'account_created', { accountId, workspaceId, detail: { operator, provider: settings.name } })
  return accountId
}

async function mayHaveAccount(tx: Tx, settings: OidcSettings, person: Person): Promise<boolean> {
  const { newAccounts, roles, operatorGroups = [] } = settings
  if (newAccounts === 'anyone') return true
  if (newAccounts === 'none') return false
  const groups = [...roles.map(({ group }) => group), ...operatorGroups]
  return inAny(person, groups) || (await isInvited(tx, person.email))
}

const inAny = ({ groups }: Claims, wanted: string[]): boolean => wanted.some((group) => groups.includes(group))

const notFirst = (): AppError =>
  new AppError('forbidden', 'The first account is created with the link on the screen of npm start.')

const noAccount = (name: string): AppError =>
  new AppError(
    'forbidden',
    `You signed in at ${name}, but have no account here and are in none of the groups that get one. Ask an operator.`,
  )
