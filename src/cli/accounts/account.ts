import { Command, InvalidArgumentError } from 'commander'
import { resetIdentities } from '../../accounts/identities/link-identity.ts'
import { joinWorkspace } from '../../accounts/members/join-workspace.ts'
import { type Role, role } from '../../accounts/members/member-schema.ts'
import { resetPasskeys } from '../../accounts/passkeys/change-passkeys.ts'
import { resetTotp } from '../../accounts/second-factor/turn-off.ts'
import { changeAccountState } from '../../accounts/users/change-account-state.ts'
import { createResetLink, disableAccount, listAccounts } from '../../accounts/users/disable-account.ts'
import { emailKey } from '../../accounts/users/email-rules.ts'
import { createFirstAccountLink } from '../../accounts/users/links/create-first-account-link.ts'
import { linkTo } from '../../accounts/users/links/link-rules.ts'
import type { AccountMail } from '../../accounts/users/mail/account-mail.ts'
import { findWorkspace } from '../../accounts/workspaces/find-workspace.ts'
import { listWorkspaces } from '../../accounts/workspaces/list-workspaces.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { plural } from '../../lib/text/plural.ts'
import { createOutbox } from '../../mail/outbox.ts'
import { minuteOf, type OutputOptions, print, table } from '../output.ts'
import { type CommandContext, withInstallation } from '../with-installation.ts'

const EMAIL = ['<email>', 'its e-mail address'] as const

export const accountCommand = (): Command =>
  new Command('account')
    .description('accounts of people')
    .addCommand(list())
    .addCommand(link())
    .addCommand(join())
    .addCommand(operator())
    .addCommand(resetCodes())
    .addCommand(removePasskeys())
    .addCommand(unlink())
    .addCommand(setDisabled('disable', true))
    .addCommand(setDisabled('enable', false))

const list = () =>
  new Command('list')
    .description('every account, oldest first')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withInstallation(async ({ sql }) => {
        const accounts = await listAccounts(sql)
        const rows = accounts.map((account) => [
          account.email,
          minuteOf(account.createdAt),
          account.emailVerifiedAt ? 'yes' : 'no',
          account.disabledAt ? 'disabled' : account.operator ? 'operator' : 'active',
          account.name,
        ])
        print(options, { accounts }, table(['E-MAIL', 'CREATED (UTC)', 'CONFIRMED', 'STATE', 'NAME'], rows))
      }),
    )

const link = () =>
  new Command('link')
    .description('print a link: to the first account, or with an address, to a new password for that account')
    .argument('[email]', EMAIL[1])
    .option('--json', 'print JSON')
    .action((email: string | undefined, options: OutputOptions) =>
      withInstallation(async (context) => {
        const url = email === undefined ? await firstAccount(context) : await newPassword(context, email)
        print(options, { link: url }, `${url}\nIt works once${email === undefined ? '' : ', within an hour'}.`)
      }),
    )

async function firstAccount(context: CommandContext): Promise<string> {
  const token = await createFirstAccountLink(context.sql)
  if (token !== undefined) return linkTo(originOf(context), 'first_account', token)
  throw new OperatorError('There is an account already. For a new password: npx pricetape account link ADDRESS')
}

const newPassword = async (context: CommandContext, email: string): Promise<string> =>
  linkTo(originOf(context), 'reset_password', await createResetLink(context.sql, email))

const originOf = ({ config, running }: CommandContext): string =>
  new URL(config.publicUrl ?? running?.url ?? `http://localhost:${config.port}`).origin

/** A command puts notices into the outbox; the next check sends them. */
const mailOf = (context: CommandContext): AccountMail => ({
  origin: originOf(context),
  ...(context.config.mail && { outbox: createOutbox(context) }),
  show: () => {},
})

const join = () =>
  new Command('join')
    .description('make an account a member of a workspace, or give it another role there')
    .argument(...EMAIL)
    .option('--workspace <workspace>', 'id or name; the first workspace when left out')
    .option('--role <role>', 'admin or member', roleOption, 'member')
    .option('--json', 'print JSON')
    .action((email: string, options: OutputOptions & { workspace?: string; role: Role }) =>
      withInstallation(async ({ sql }) => {
        const workspaceId = await findWorkspace(sql, options.workspace)
        await joinWorkspace(sql, { email, workspaceId, role: options.role })
        const name = (await listWorkspaces(sql)).find((one) => one.workspaceId === workspaceId)?.name
        print(options, { email, workspaceId, role: options.role }, `${email} is ${options.role} of ${name} now.`)
      }),
    )

const operator = () =>
  new Command('operator')
    .description('make an account an operator of this installation, or with --revoke a plain one')
    .argument(...EMAIL)
    .option('--revoke', 'take the right away; one operator who can sign in stays')
    .option('--json', 'print JSON')
    .action((email: string, options: OutputOptions & { revoke?: boolean }) =>
      withInstallation(async ({ sql }) => {
        const account = await accountNamed(sql, email)
        const isOperator = !options.revoke
        await changeAccountState(sql, account.accountId, { operator: isOperator })
        const text = isOperator ? `${email} is an operator now.` : `${email} is no longer an operator.`
        print(options, { email, operator: isOperator }, text)
      }),
    )

const resetCodes = () =>
  new Command('reset-codes')
    .description('stop asking an account for codes from an authenticator app: its owner lost the device')
    .argument(...EMAIL)
    .option('--json', 'print JSON')
    .action((email: string, options: OutputOptions) =>
      withInstallation(async (context) => {
        const { sql } = context
        await resetTotp(sql, mailOf(context), (await accountNamed(sql, email)).accountId)
        print(options, { email }, `${email} signs in with the password alone now.`)
      }),
    )

const removePasskeys = () =>
  new Command('reset-passkeys')
    .description('remove every passkey of an account: its owner lost a device')
    .argument(...EMAIL)
    .option('--json', 'print JSON')
    .action((email: string, options: OutputOptions) =>
      withInstallation(async (context) => {
        const { sql } = context
        const removed = await resetPasskeys(sql, mailOf(context), (await accountNamed(sql, email)).accountId)
        print(options, { email, removed }, `${plural(removed, 'passkey')} of ${email} removed.`)
      }),
    )

const unlink = () =>
  new Command('unlink')
    .description('unlink an account from the identity provider: its owner is another person there now')
    .argument(...EMAIL)
    .option('--json', 'print JSON')
    .action((email: string, options: OutputOptions) =>
      withInstallation(async (context) => {
        const { sql } = context
        const removed = await resetIdentities(sql, mailOf(context), (await accountNamed(sql, email)).accountId)
        const text = removed === 0 ? `${email} was not linked.` : `${email} is unlinked. Its sessions go on.`
        print(options, { email, removed }, text)
      }),
    )

async function accountNamed(sql: Sql, email: string) {
  const account = (await listAccounts(sql)).find((listed) => emailKey(listed.email) === emailKey(email))
  if (account) return account
  throw new OperatorError(`There is no account ${email}. See: npx pricetape account list`)
}

function roleOption(text: string): Role {
  const parsed = role.safeParse(text)
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError('Write admin or member.')
}

const setDisabled = (name: 'disable' | 'enable', disabled: boolean) =>
  new Command(name)
    .description(disabled ? 'sign an account out and refuse it' : 'let a disabled account sign in again')
    .argument(...EMAIL)
    .option('--successor <email>', 'who becomes admin of workspaces in which no other admin can act')
    .option('--json', 'print JSON')
    .action((email: string, options: OutputOptions & { successor?: string }) =>
      withInstallation(async ({ sql }) => {
        await disableAccount(sql, email, disabled, options.successor)
        print(options, { email, disabled }, disabled ? `${email} is disabled.` : `${email} can sign in again.`)
      }),
    )
