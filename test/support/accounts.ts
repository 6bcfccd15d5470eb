import type { Role } from '../../src/accounts/members/member-schema.ts'
import { insertMember } from '../../src/accounts/members/member-store.ts'
import { newToken } from '../../src/accounts/new-token.ts'
import { signIn } from '../../src/accounts/sessions/sign-in.ts'
import { createAccount } from '../../src/accounts/users/create-account.ts'
import { createFirstAccountLink } from '../../src/accounts/users/links/create-first-account-link.ts'
import { saveLink } from '../../src/accounts/users/links/link-store.ts'
import type { AccountMail } from '../../src/accounts/users/mail/account-mail.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import type { Sql } from '../../src/lib/sql.ts'

export const PASSWORD = 'correct horse battery'
export const device = { address: '127.0.0.1', userAgent: 'test' }

/** How accounts reach no one: what would be shown to operators is kept. */
export function silentMail(): AccountMail & { shown: string[] } {
  const shown: string[] = []
  return { origin: 'http://localhost:8080', show: (line) => void shown.push(line), shown }
}

/** The token behind the `#` of a link. */
export const tokenOf = (link: string): string => /#token=([\w-]+)/.exec(link)![1]!

/** What npm start makes: a workspace, and the operator's account that takes it over. */
export async function addOperator(sql: Sql, email = 'olga@example.com') {
  const { workspaceId } = await createWorkspace(sql, { name: 'First workspace' })
  const token = (await createFirstAccountLink(sql))!
  const given = { token, name: 'Olga', email, password: PASSWORD }
  const { account, sessionToken } = await createAccount(sql, given, device, { mailWorks: false })
  return { ...account, sessionToken, workspaceId }
}

/** An account of its own, signed in. */
export async function addAccount(sql: Sql, email: string) {
  const token = newToken()
  await saveLink(sql, { kind: 'sign_up', email, token })
  const given = { token, name: email.split('@')[0]!, password: PASSWORD }
  const { account, sessionToken } = await createAccount(sql, given, device, { mailWorks: true })
  return { ...account, sessionToken }
}

export const addMember = (sql: Sql, workspaceId: string, accountId: string, role: Role): Promise<boolean> =>
  sql.begin((tx) => insertMember(tx, { workspaceId, accountId, role })) as Promise<boolean>

/** Another session of an account. */
export const anotherSession = async (sql: Sql, email: string): Promise<string> =>
  (await signIn(sql, { email, password: PASSWORD }, device)).sessionToken

/** Runs 50 of them at once; returns how often each error code was the answer, and the successes as `ok`. */
export async function fiftyAtOnce(work: (n: number) => Promise<unknown>): Promise<Record<string, number>> {
  const answers = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => work(n)))
  const counts: Record<string, number> = {}
  for (const answer of answers) {
    const code = answer.status === 'fulfilled' ? 'ok' : String(answer.reason.code ?? answer.reason)
    counts[code] = (counts[code] ?? 0) + 1
  }
  return counts
}
