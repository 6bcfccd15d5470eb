import { TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteExpired } from '../../src/accounts/delete-expired.ts'
import { createFeedAddress, deleteFeedAddress } from '../../src/accounts/feeds/feed-address.ts'
import { feedReader } from '../../src/accounts/feeds/feed-address-store.ts'
import { resetIdentities, unlinkIdentity } from '../../src/accounts/identities/link-identity.ts'
import { acceptInvitation } from '../../src/accounts/invitations/accept-invitation.ts'
import { sendInvitation } from '../../src/accounts/invitations/send-invitation.ts'
import { withdrawInvitation } from '../../src/accounts/invitations/withdraw-invitation.ts'
import { markUsed } from '../../src/accounts/keys/api-key-store.ts'
import { changeKeyNetworks } from '../../src/accounts/keys/change-key-networks.ts'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { deleteApiKey } from '../../src/accounts/keys/delete-api-key.ts'
import { changeRole, removeMember } from '../../src/accounts/members/change-role.ts'
import { foundWorkspace } from '../../src/accounts/members/found-workspace.ts'
import { joinWorkspace } from '../../src/accounts/members/join-workspace.ts'
import { removePasskey, renamePasskey, resetPasskeys } from '../../src/accounts/passkeys/change-passkeys.ts'
import { recordUse } from '../../src/accounts/passkeys/passkey-store.ts'
import { resetTotp, turnTotpOff } from '../../src/accounts/second-factor/turn-off.ts'
import { beginTotp, confirmTotp } from '../../src/accounts/second-factor/turn-on.ts'
import { endAllSessions, endSession, signEveryoneOut } from '../../src/accounts/sessions/end-sessions.ts'
import { findSignedIn } from '../../src/accounts/sessions/find-signed-in.ts'
import { rememberBrowser } from '../../src/accounts/sessions/remember-browser.ts'
import { signIn } from '../../src/accounts/sessions/sign-in.ts'
import { changePassword, renameAccount } from '../../src/accounts/users/change-account.ts'
import { changeAccountState, endSessionsOf } from '../../src/accounts/users/change-account-state.ts'
import { requestEmailChange } from '../../src/accounts/users/change-email.ts'
import { deleteAccount } from '../../src/accounts/users/delete-account.ts'
import { createResetLink, disableAccount } from '../../src/accounts/users/disable-account.ts'
import {
  requestPasswordReset,
  requestSignUp,
  requestVerification,
} from '../../src/accounts/users/links/request-links.ts'
import { resetPassword } from '../../src/accounts/users/links/reset-password.ts'
import { verifyEmail } from '../../src/accounts/users/links/verify-email.ts'
import type { AccountMail } from '../../src/accounts/users/mail/account-mail.ts'
import { changeQuota } from '../../src/accounts/workspaces/change-quota.ts'
import { deleteWorkspace } from '../../src/accounts/workspaces/delete-workspace.ts'
import { renameWorkspace } from '../../src/accounts/workspaces/rename-workspace.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { createOutbox } from '../../src/mail/outbox.ts'
import { addAccount, addMember, addOperator, device, PASSWORD, silentMail, tokenOf } from '../support/accounts.ts'
import { testDatabase } from '../support/database.ts'
import { footprint } from '../support/footprint.ts'
import { expectGolden } from '../support/suite/goldens.ts'
import { addPerson, type Person, secretKey, TOTP_SECRET } from './people.ts'

const NEW = 'another long password'
const log = { warn: () => {} } as never

/** What acts on everything of Ada's, while Bob and Cyd have the same, and all three share a workspace. */
type Action = (sql: Sql, mail: AccountMail) => Promise<unknown>
/** The same after something else has happened, which is no part of what it changes. */
type Later = { given: (sql: Sql) => Promise<unknown>; does: Action }

describe('what an action changes, in a database where two others have everything too', () => {
  const db = testDatabase()
  let [ada, bob, cyd] = [] as unknown as [Person, Person, Person]
  let shared: string
  beforeAll(async () => {
    await addOperator(db.sql)
    ada = await addPerson(db.sql, 'ada')
    bob = await addPerson(db.sql, 'bob')
    cyd = await addPerson(db.sql, 'cyd')
    shared = (await foundWorkspace(db.sql, ada, { name: 'Shared' })).workspaceId
    for (const { accountId } of [bob, cyd]) await addMember(db.sql, shared, accountId, 'admin')
    for (const { accountId, name } of [ada, bob, cyd])
      await sendInvitation(
        db.sql,
        silentMail(),
        { accountId, workspaceId: shared },
        {
          email: `${name}-3@example.com`,
          role: 'member',
        },
      )
    await db.sql`update account_link set created_at = created_at - interval '10 min'`
  })

  /** Everything that each action changed; mails are in the outbox. */
  async function expectFootprints(name: string, actions: Record<string, Action | Later>): Promise<void> {
    const found: Record<string, string[]> = {}
    for (const [action, one] of Object.entries(actions)) {
      const { given, does } = 'does' in one ? one : { given: undefined, does: one }
      const work = async (sql: Sql) => {
        await using outbox = createOutbox({ sql, log, secretKey })
        await does(sql, { origin: 'https://tape.example', outbox, show: () => {} })
      }
      found[action] = await footprint(db.sql, work, given)
    }
    await expectGolden(`footprints/${name}`, found)
  }
  const unconfirmed = (sql: Sql) => sql`update account set email_verified_at = null`
  const code = () => new TOTP({ secret: TOTP_SECRET }).generate()
  const inShared = ({ accountId }: Person) => ({ accountId, workspaceId: shared })

  it('of the second factor', () =>
    expectFootprints('second-factor', {
      'signing in with a code': (sql) =>
        signIn(sql, { email: ada.email, password: PASSWORD, code: code() }, device, { secretKey }),
      'signing in with a recovery code': (sql) =>
        signIn(sql, { email: ada.email, password: PASSWORD, code: ada.recoveryCodes[0]! }, device, { secretKey }),
      'turning it off': (sql, mail) =>
        turnTotpOff(sql, mail, { secretKey }, ada.owner, { currentPassword: PASSWORD, code: ada.recoveryCodes[1]! }),
      'an operator resets it': (sql, mail) => resetTotp(sql, mail, ada.accountId),
      'an operator resets it where it is off': (sql, mail) => resetTotp(sql, mail, ada.guest.accountId),
      beginning: (sql) => beginTotp(sql, { secretKey }, ada.guest, PASSWORD),
      'beginning again, and the first code': async (sql, mail) => {
        const keys = { secretKey }
        await beginTotp(sql, keys, ada.guest, PASSWORD)
        const { secret } = await beginTotp(sql, keys, ada.guest, PASSWORD)
        await confirmTotp(sql, mail, keys, { ...ada.guest, code: new TOTP({ secret }).generate() })
      },
    }))

  it('of passkeys and identities', () =>
    expectFootprints('passkeys-and-identities', {
      'renaming a passkey': (sql) =>
        renamePasskey(sql, { accountId: ada.accountId, passkeyId: ada.passkeyIds[0]! }, { name: 'N' }),
      'using a passkey': (sql) => sql.begin((tx) => recordUse(tx, ada.passkeyIds[0]!, { counter: 1, synced: true })),
      'removing a passkey': (sql, mail) =>
        removePasskey(sql, mail, ada.owner, { passkeyId: ada.passkeyIds[0]!, currentPassword: PASSWORD }),
      'an operator removes the passkeys': (sql, mail) => resetPasskeys(sql, mail, ada.accountId),
      'unlinking an identity': (sql, mail) =>
        unlinkIdentity(
          sql,
          mail,
          ada.owner,
          { identityId: ada.identityIds[0]!, currentPassword: PASSWORD },
          { name: 'Acme', only: false },
        ),
      'an operator removes the identities': (sql, mail) => resetIdentities(sql, mail, ada.accountId),
    }))

  it('of sessions, browsers and feeds', () =>
    expectFootprints('sessions', {
      'signing in after a wrong password': async (sql) => {
        await signIn(sql, { email: ada.email, password: 'wrong' }, device).catch(() => {})
        await signIn(sql, { email: bob.email, password: 'wrong' }, device).catch(() => {})
        await signIn(sql, { email: ada.email, password: PASSWORD, code: code() }, device, { secretKey })
      },
      'ending a session': (sql) => endSession(sql, { accountId: ada.accountId, sessionId: ada.sessionIds[1]! }),
      'ending all sessions': (sql) => endAllSessions(sql, ada.accountId),
      'an operator ends the sessions': (sql) => endSessionsOf(sql, ada.accountId),
      'an operator signs everyone out': (sql) => signEveryoneOut(sql),
      'using a session after a minute': async (sql) => {
        await sql`update session set last_seen_at = last_seen_at - interval '61 s' where session_id = ${ada.sessionIds[0]!}`
        await findSignedIn(sql, ada.sessionToken)
      },
      'signing in from a known browser': (sql) => rememberBrowser(sql, ada.accountId, 'browser 1 of ada'),
      'signing in from a browser of others': (sql) => rememberBrowser(sql, ada.accountId, 'browser 1 of bob'),
      'another address of the feed': (sql) => createFeedAddress(sql, ada.accountId),
      'no address of the feed': (sql) => deleteFeedAddress(sql, ada.accountId),
      'reading the feed': (sql) => feedReader(sql, 'feed of ada'),
    }))

  it('of accounts', () =>
    expectFootprints('account', {
      'another name': (sql) => renameAccount(sql, ada.owner, { name: 'Ada L.' }),
      'another password': (sql, mail) =>
        changePassword(sql, mail, ada.owner, { currentPassword: PASSWORD, password: NEW }, device),
      'asking for a reset': (sql, mail) => requestPasswordReset(sql, mail, ada.email),
      'a reset': {
        given: unconfirmed,
        does: (sql, mail) => resetPassword(sql, mail, { token: 'reset of ada', password: NEW }),
      },
      'a reset where links are shown and not mailed': {
        given: unconfirmed,
        does: (sql) => resetPassword(sql, silentMail(), { token: 'reset of ada', password: NEW }),
      },
      'a reset of an account that is disabled': {
        given: (sql) => disableAccount(sql, ada.guest.email),
        does: (sql, mail) => requestPasswordReset(sql, mail, ada.guest.email),
      },
      'a reset by an operator': (sql) => createResetLink(sql, ada.email),
      'asking to confirm the address': {
        given: unconfirmed,
        does: (sql, mail) => requestVerification(sql, mail, ada.accountId),
      },
      'asking to confirm a confirmed address': (sql, mail) => requestVerification(sql, mail, ada.accountId),
      'confirming the address': { given: unconfirmed, does: (sql, mail) => verifyEmail(sql, mail, 'verify of ada') },
      'asking for another address': (sql, mail) =>
        requestEmailChange(sql, mail, ada.owner, { email: 'ada@elsewhere.example', currentPassword: PASSWORD }),
      'asking for the address of another': (sql, mail) =>
        requestEmailChange(sql, mail, ada.owner, { email: bob.email, currentPassword: PASSWORD }),
      'confirming another address': (sql, mail) => verifyEmail(sql, mail, 'change of ada'),
      'signing up': (sql, mail) =>
        requestSignUp(sql, mail, { email: 'new@example.com', signUp: 'open', address: '192.0.2.1' }),
      'signing up once more': (sql, mail) =>
        requestSignUp(sql, mail, { email: ada.email, signUp: 'open', address: '192.0.2.1' }),
      'disabling it': (sql) => disableAccount(sql, ada.guest.email),
      'disabling it with a successor': (sql) => disableAccount(sql, ada.email, true, ada.guest.email),
      'enabling it': {
        given: async (sql) => {
          for (const { guest } of [ada, bob]) await disableAccount(sql, guest.email)
        },
        does: (sql) => disableAccount(sql, ada.guest.email, false),
      },
      'making it an operator': (sql) => changeAccountState(sql, ada.accountId, { operator: true }),
      'making it an operator no more': {
        given: (sql) => sql`update account set operator = true`,
        does: (sql) => changeAccountState(sql, ada.accountId, { operator: false }),
      },
      'deleting it': async (sql) => {
        await changeRole(sql, ada.acting, { accountId: ada.guest.accountId, role: 'admin' })
        await deleteAccount(sql, ada.owner, PASSWORD)
      },
    }))

  it('of members and invitations', () =>
    expectFootprints('members', {
      'founding a workspace': (sql) => foundWorkspace(sql, ada, { name: 'Another' }),
      'another role': (sql) => changeRole(sql, inShared(ada), { accountId: bob.accountId, role: 'member' }),
      'the same role': (sql) => changeRole(sql, inShared(ada), { accountId: bob.accountId, role: 'admin' }),
      'removing a member': (sql, mail) => removeMember(sql, inShared(ada), bob, mail),
      leaving: (sql, mail) => removeMember(sql, inShared(bob), bob, mail),
      'an operator adds a member': (sql) =>
        joinWorkspace(sql, { email: ada.guest.email, workspaceId: shared, role: 'member' }),
      'an operator makes a member an admin': (sql) =>
        joinWorkspace(sql, { email: ada.guest.email, workspaceId: ada.workspaceId, role: 'admin' }),
      'inviting an address': (sql, mail) =>
        sendInvitation(sql, mail, inShared(ada), { email: 'ada-1@example.com', role: 'admin' }),
      'inviting an address again': (sql, mail) =>
        sendInvitation(sql, mail, ada.acting, { email: 'ADA-1@example.com', role: 'admin' }),
      'withdrawing an invitation': (sql) => withdrawInvitation(sql, ada.acting, ada.invitations[0]!),
      'accepting an invitation that came by mail, which proves the address': {
        given: async (sql) => {
          await addAccount(sql, 'ada-1@example.com')
          await sql`update invitation set mailed = true`
          await sql`update account set email_verified_at = null`
        },
        does: async (sql) => {
          const [invited] = await sql<{ accountId: string; email: string }[]>`
            select account_id as "accountId", email from account where email = 'ada-1@example.com'`
          await acceptInvitation(sql, invited!, tokenOf(ada.invitations[0]!.link!))
        },
      },
      'accepting an invitation': async (sql) => {
        const invited = await addAccount(sql, 'ada-1@example.com')
        await acceptInvitation(sql, invited, tokenOf(ada.invitations[0]!.link!))
      },
    }))

  it('of workspaces and keys', () =>
    expectFootprints('workspaces', {
      'another name': (sql) => renameWorkspace(sql, { workspaceId: ada.workspaceId, name: 'W', by: ada.accountId }),
      'deleting it': (sql) => deleteWorkspace(sql, { workspaceId: ada.workspaceId, by: ada.accountId }),
      'limits by an operator': (sql) =>
        changeQuota(sql, ada.workspaceId, { webhooks: 1, apiKeys: 2, members: 3, requestsPerMinute: 4 }),
      'another key': (sql) => createApiKey(sql, { workspaceId: ada.workspaceId, name: 'K', createdBy: ada.accountId }),
      'other networks of a key': (sql) =>
        changeKeyNetworks(sql, { workspaceId: ada.workspaceId, keyId: ada.keys[0]!.keyId }, ['192.0.2.0/24']),
      'using a key': async (sql) => {
        await markUsed(sql, [ada.keys[0]!.keyId])
        await markUsed(sql, [ada.keys[0]!.keyId])
      },
      'deleting a key': (sql) => deleteApiKey(sql, { workspaceId: ada.workspaceId, keyId: ada.keys[0]!.keyId }),
    }))

  it('of time: what has expired is deleted, and nothing that can be used', async () => {
    let deleted = 0
    const found = await footprint(
      db.sql,
      async (sql) => {
        deleted = await deleteExpired(sql)
      },
      async (sql) => {
        const minute = (old: string) => sql`clock_timestamp() - ${old}::interval`
        const [ended, idle, ofBob] = [ada.sessionIds[0]!, ada.sessionIds[1]!, bob.sessionIds[0]!]
        await sql`update session set expires_at = ${minute('1 s')} where session_id = ${ended}`
        await sql`update session set last_seen_at = ${minute('14 d 1 min')} where session_id = ${idle}`
        await sql`update session set last_seen_at = ${minute('14 d -1 min')} where session_id = ${ofBob}`
        await sql`update passkey_challenge set expires_at = ${minute('1 s')} where session_id = ${ofBob}`
        await sql`update account_link set expires_at = ${minute('1 s')} where email_key = ${bob.email}`
        await sql`
          update known_browser set last_used_at = case account_id when ${ada.accountId} then ${minute('400 d 1 min')}
                                                                  else ${minute('400 d -1 min')} end`
        // Whoever sent them may not send more until a day has passed; they are kept for longer.
        for (const [n, age] of ['14 d 1 min', '14 d -1 min'].entries())
          await sql`
            update invitation set created_at = ${minute(age)}, expires_at = ${minute('1 s')}
            where invitation_id = ${ada.invitations[n]!.invitationId}`
        await sql`
          update invitation set created_at = ${minute('15 d')} where invitation_id = ${bob.invitations[0]!.invitationId}`
        for (const [n, age] of ['1 d 1 min', '1 d -1 min'].entries())
          await sql`
            insert into sign_in_failure (email_hash, failures, last_at, blocked_until)
            values (sha256(${n}::text::bytea), 1, ${minute(age)}, '-infinity')`
        for (const [n, age] of ['1 s', '-1 min'].entries())
          await sql`
            insert into identity_handshake (state_hash, browser_hash, expires_at)
            values (sha256(${n}::text::bytea), sha256('browser'), ${minute(age)})`
      },
    )
    expect(found).toEqual([
      'account_link: removed reset_password bob@example.com',
      'account_link: removed verify_email bob@example.com',
      'identity_handshake: removed',
      'invitation: removed ada-1@example.com member',
      'known_browser: removed ×2',
      'passkey_challenge: removed ×3',
      'session: removed ×2',
      'sign_in_failure: removed',
    ])
    // Two of the challenges went with their sessions.
    expect(deleted).toBe(10)
  })
})
