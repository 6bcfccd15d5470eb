import { saveFeedAddress } from '../../src/accounts/feeds/feed-address-store.ts'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { contextOf, insertRecoveryCodes, savePending, usePeriod } from '../../src/accounts/second-factor/totp-store.ts'
import { saveKnownBrowser } from '../../src/accounts/sessions/known-browser-store.ts'
import { saveLink } from '../../src/accounts/users/links/link-store.ts'
import { seal } from '../../src/lib/seal.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { addAccount, addMember, anotherSession, silentMail } from '../support/accounts.ts'

export const secretKey = Buffer.alloc(32, 7)
export const TOTP_SECRET = 'JBSWY3DPEHPK3PXP'

export type Person = Awaited<ReturnType<typeof addPerson>>

/** Two of everything that belongs to a person, the admin of a workspace of their own with a guest in it. */
export async function addPerson(sql: Sql, name: string) {
  const email = `${name}@example.com`
  const { accountId, sessionToken } = await addAccount(sql, email)
  await anotherSession(sql, email)
  const sessions = await sql<{ id: string }[]>`
    select session_id as id from session where account_id = ${accountId} order by created_at`
  const guest = await addAccount(sql, `guest-of-${name}@example.com`)
  const { workspaceId } = await foundWorkspace(sql, { accountId }, { name: `${name} and others` })
  await addMember(sql, workspaceId, guest.accountId, 'member')
  const passkeys = await sql<{ id: string }[]>`
    insert into passkey (account_id, name, credential_id, public_key, counter, transports, synced, created_at)
    select ${accountId}, device, ${name} || device, 'key', 0, '{}', false, now() from unnest(array['laptop', 'phone']) device
    returning passkey_id as id`
  const identities = await sql<{ id: string }[]>`
    insert into account_identity (account_id, issuer, subject, email, created_at)
    select ${accountId}, issuer, ${name}, ${email}, now() from unnest(array['https://one.example', 'https://two.example']) issuer
    returning identity_id as id`
  const keys = [
    await createApiKey(sql, { workspaceId, name: `${name} 1`, createdBy: accountId }),
    await createApiKey(sql, { workspaceId, name: `${name} 2` }),
  ]
  const acting = { accountId, workspaceId }
  const invitations = []
  for (const n of [1, 2])
    invitations.push(
      await sendInvitation(sql, silentMail(), acting, { email: `${name}-${n}@example.com`, role: 'member' }),
    )
  const recoveryCodes = [`${name.toUpperCase()}AAAAAAA`, `${name.toUpperCase()}BBBBBBB`]
  await sql.begin(async (tx) => {
    await savePending(tx, accountId, seal(secretKey, TOTP_SECRET, contextOf(accountId)).sealed)
    await usePeriod(tx, accountId, 5)
    await insertRecoveryCodes(tx, accountId, recoveryCodes)
    await saveFeedAddress(tx, accountId, `feed of ${name}`)
    for (const n of [1, 2]) await saveKnownBrowser(tx, { accountId, token: `browser ${n} of ${name}` })
    await saveLink(tx, { kind: 'reset_password', email, token: `reset of ${name}` })
    await saveLink(tx, { kind: 'verify_email', email, token: `verify of ${name}` })
    await saveLink(tx, { kind: 'change_email', email: `new-${email}`, token: `change of ${name}`, accountId })
    await saveLink(tx, { kind: 'change_email', email: `newer-${email}`, token: `another change of ${name}`, accountId })
    for (const { id } of sessions)
      await tx`
        insert into passkey_challenge (challenge_hash, session_id, expires_at)
        values (sha256(${id}::bytea), ${id}, now() + interval '5 min')`
  })
  return {
    ...{ name, email, accountId, sessionToken, acting, workspaceId, guest, recoveryCodes, keys, invitations },
    sessionIds: sessions.map(({ id }) => id),
    passkeyIds: passkeys.map(({ id }) => id),
    identityIds: identities.map(({ id }) => id),
    owner: { accountId, email, sessionId: sessions[0]!.id },
  }
}
