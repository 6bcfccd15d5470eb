import { beforeAll, describe, expect, it } from 'vitest'
import { feedAddressOf, feedReader, saveFeedAddress } from '../../../src/accounts/feeds/feed-address-store.ts'
import * as identities from '../../../src/accounts/identities/identity-store.ts'
import { lastUsed } from '../../../src/accounts/last-used.ts'
import * as browsers from '../../../src/accounts/sessions/known-browser-store.ts'
import * as accounts from '../../../src/accounts/users/account-store.ts'
import { saveLink } from '../../../src/accounts/users/links/link-store.ts'
import { verifyEmail } from '../../../src/accounts/users/links/verify-email.ts'
import { addMember, silentMail } from '../../support/accounts.ts'
import { testDatabase } from '../../support/database.ts'
import { addWorkspace } from '../../support/webhooks/subscriptions.ts'
import { addPerson, type Person } from '../people.ts'

const NONE = '01900000-0000-7000-8000-000000000000'

describe('what is stored of an account, beside another that has everything too', () => {
  const db = testDatabase()
  let [ada, bob] = [] as unknown as [Person, Person]
  beforeAll(async () => {
    ada = await addPerson(db.sql, 'ada')
    bob = await addPerson(db.sql, 'bob')
  })

  it('finds whose identity it is by its provider and its name there', async () => {
    const owner = async (issuer: string, subject: string) =>
      (await identities.ownerOfIdentity(db.sql, { issuer, subject }))?.accountId
    expect(await owner('https://one.example', 'ada')).toBe(ada.accountId)
    expect(await owner('https://two.example', 'bob')).toBe(bob.accountId)
    expect([await owner('https://one.example', 'eve'), await owner('https://three.example', 'ada')]).toEqual([
      undefined,
      undefined,
    ])
  })

  it('keeps one identity of a provider, and the newest address that it said', async () => {
    await db.sql.begin(async (tx) => {
      const given = { accountId: ada.accountId, issuer: 'https://one.example', subject: 'another' }
      expect(await identities.insertIdentity(tx, given)).toBeUndefined()
      const added = await identities.insertIdentity(tx, { ...given, issuer: 'https://three.example' })
      expect(added).toEqual(expect.any(String))
      const shown = async () =>
        (await identities.identitiesOf(tx, ada.accountId)).map(({ issuer, email, lastUsedAt }) => [
          ...[issuer, email, lastUsedAt !== null],
        ])
      await identities.recordIdentityUse(tx, ada.identityIds[0]!, 'ada@new.example')
      await identities.recordIdentityUse(tx, ada.identityIds[1]!, undefined)
      expect(await shown()).toEqual([
        ['https://one.example', 'ada@new.example', true],
        ['https://two.example', 'ada@example.com', true],
        ['https://three.example', null, false],
      ])
      expect((await identities.identitiesOf(tx, bob.accountId)).every(({ lastUsedAt }) => lastUsedAt === null)).toBe(
        true,
      )
      await tx`delete from account_identity where identity_id = ${added!}`
    })
  })

  it('counts the ways in to it', async () => {
    await db.sql`update account_totp set confirmed_at = now()`
    const everything = { password: true, passkeys: 2, codes: true, identities: 2 }
    expect(await identities.otherWaysIn(db.sql, ada.accountId)).toEqual(everything)
    expect(await identities.otherWaysIn(db.sql, ada.guest.accountId)).toEqual({
      ...{ password: true, passkeys: 0, codes: false, identities: 0 },
    })
    await db.sql`update account set password_hash = null where account_id = ${ada.accountId}`
    await db.sql`update account_totp set confirmed_at = null where account_id = ${ada.accountId}`
    expect(await identities.otherWaysIn(db.sql, ada.accountId)).toEqual({
      ...everything,
      password: false,
      codes: false,
    })
    expect(await identities.otherWaysIn(db.sql, bob.accountId)).toEqual(everything)
    const none = { password: false, passkeys: 0, codes: false, identities: 0 }
    expect(await identities.otherWaysIn(db.sql, NONE)).toEqual(none)
  })

  it('says whose address of the feed it is, with the workspace joined first, unless the account is disabled', async () => {
    const { accountId, workspaceId } = bob
    const later = await addWorkspace(db.sql)
    await addMember(db.sql, later, accountId, 'admin')
    expect(await feedReader(db.sql, 'feed of bob')).toEqual({ accountId, firstWorkspaceId: workspaceId })
    await db.sql`
      update workspace_member set created_at = created_at - interval '1 d'
      where account_id = ${accountId} and workspace_id = ${later}`
    expect(await feedReader(db.sql, 'feed of bob')).toEqual({ accountId, firstWorkspaceId: later })
    expect(await feedReader(db.sql, 'feed of eve')).toBeUndefined()
    await db.sql.begin(async (tx) => {
      await accounts.setDisabled(tx, ada.guest.accountId, true)
      await saveFeedAddress(tx, ada.guest.accountId, 'feed of the guest')
    })
    expect(await feedReader(db.sql, 'feed of the guest')).toBeUndefined()
  })

  it('notes the use of an address of the feed once a minute, until there is another one', async () => {
    const used = async (ago: string | null) => {
      await db.sql`
        update feed_address set last_used_at = clock_timestamp() - ${ago}::interval where account_id = ${ada.accountId}`
      const before = (await feedAddressOf(db.sql, ada.accountId))!.lastUsedAt
      await feedReader(db.sql, 'feed of ada')
      return (await feedAddressOf(db.sql, ada.accountId))!.lastUsedAt !== before
    }
    expect([await used(null), await used('30 s'), await used('61 s')]).toEqual([true, false, true])
    await db.sql.begin((tx) => saveFeedAddress(tx, ada.accountId, 'another feed'))
    expect((await feedAddressOf(db.sql, ada.accountId))!.lastUsedAt).toBeNull()
    expect(await feedReader(db.sql, 'feed of ada')).toBeUndefined()
  })

  it('has an address that no other account has', async () => {
    const set = (email: string) => db.sql.begin((tx) => accounts.setEmail(tx, ada.accountId, email))
    expect([await set('Bob@example.com'), await set('ADA@example.com'), await set('ada@else.example')]).toEqual([
      ...[false, true, true],
    ])
    expect(await accounts.accountOfEmail(db.sql, 'ada@ELSE.example')).toMatchObject({
      ...{ accountId: ada.accountId, email: 'ada@else.example' },
    })
  })

  it('is disabled and enabled once', async () => {
    const set = (disabled: boolean) => db.sql.begin((tx) => accounts.setDisabled(tx, bob.guest.accountId, disabled))
    expect([await set(false), await set(true), await set(true), await set(false), await set(false)]).toEqual([
      ...[false, true, false, true, false],
    ])
    expect((await accounts.accountOf(db.sql, bob.guest.accountId))!.disabledAt).toBeNull()
  })

  it('knows its browsers for 400 days, and the hundred used last', async () => {
    const isKnown = (token: string, email = ada.email) => browsers.isKnownBrowser(db.sql, token, email)
    await db.sql`update account set email = email, email_key = ${ada.email} where account_id = ${ada.accountId}`
    expect([await isKnown('browser 1 of ada'), await isKnown('browser 1 of ada', 'ADA@example.com')]).toEqual([
      true,
      true,
    ])
    expect([await isKnown('browser 1 of ada', bob.email), await isKnown('browser 1 of bob')]).toEqual([false, false])
    const age = (interval: string) => db.sql`
      update known_browser set last_used_at = clock_timestamp() - ${interval}::interval where account_id = ${ada.accountId}`
    await age('400 d -1 min')
    expect(await isKnown('browser 1 of ada')).toBe(true)
    await age('400 d 1 min')
    expect(await isKnown('browser 1 of ada')).toBe(false)
    await age('1 d')
    await db.sql.begin(async (tx) => {
      await browsers.saveKnownBrowser(tx, { accountId: ada.accountId, token: 'browser 2 of ada' })
      for (let n = 3; n <= 101; n++)
        await browsers.saveKnownBrowser(tx, { accountId: ada.accountId, token: `browser ${n} of ada` })
    })
    expect([
      await isKnown('browser 1 of ada'),
      await isKnown('browser 2 of ada'),
      await isKnown('browser 101 of ada'),
    ]).toEqual([false, true, true])
    expect([
      await browsers.isBrowserToken(db.sql, 'browser 1 of ada'),
      await isKnown('browser 1 of bob', bob.email),
    ]).toEqual([false, true])
  })

  it('gets no other address while it is disabled', async () => {
    const { accountId } = ada.guest
    await db.sql.begin(async (tx) => {
      await saveLink(tx, { kind: 'change_email', email: 'other@example.com', token: 'change of guest', accountId })
      await accounts.setDisabled(tx, accountId, true)
    })
    const asked = verifyEmail(db.sql, silentMail(), 'change of guest')
    await expect(asked).rejects.toMatchObject({ code: 'invalid_link' })
    await expect(verifyEmail(db.sql, silentMail(), 'change of eve')).rejects.toMatchObject({ code: 'invalid_link' })
    expect(await accounts.accountOfEmail(db.sql, 'other@example.com')).toBeUndefined()
  })
})

describe('what a process remembers', () => {
  it('is this many values, those used last, for their time where they have one', () => {
    const [some, timed] = [lastUsed<true>(2), lastUsed<true>(2, 60_000)]
    for (const name of ['a', 'b']) some.set(name, true)
    some.get('a')
    some.set('c', true)
    expect([some.has('a'), some.has('b'), some.has('c')]).toEqual([true, false, true])
    timed.set('a', true)
    expect(timed.getRemainingTTL('a')).toBeLessThanOrEqual(60_000)
    expect(some.getRemainingTTL('a')).toBe(Number.POSITIVE_INFINITY)
  })
})
