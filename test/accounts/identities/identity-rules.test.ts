import { describe, expect, it } from 'vitest'
import { isComplete, namesGroupsElsewhere, readClaims } from '../../../src/accounts/identities/claims-rules.ts'
import {
  HANDSHAKE_LIFETIME_MS,
  handshakeCookie,
  handshakeToken,
  nonceOf,
  stateOf,
  verifierOf,
} from '../../../src/accounts/identities/handshake-rules.ts'
import { hasConfirmedEmail, mayLinkByEmail, mayUnlink } from '../../../src/accounts/identities/linking-rules.ts'
import { planRoles, rolesOf } from '../../../src/accounts/identities/role-rules.ts'

const READING = { groupsClaim: 'groups', trustsEmail: false }
const TOKEN = { iss: 'https://id.example', sub: 's', email: 'a@example.com', email_verified: true }

describe('what a provider says about someone', () => {
  it('has a name: theirs, how they sign in, or the beginning of the address', () => {
    const nameOf = (more: object) => readClaims({ ...TOKEN, ...more }, READING)?.name
    expect(nameOf({ name: '  Ada  Lovelace ', preferred_username: 'al' })).toBe('Ada Lovelace')
    expect(nameOf({ name: '\u0007', preferred_username: 'al' })).toBe('al')
    expect(nameOf({ name: 7, preferred_username: '' })).toBe('a')
    expect(nameOf({ name: 'x'.repeat(90) })).toBe('x'.repeat(80))
    expect(nameOf({ email: undefined, sub: '\u200b' })).toBe('New user')
  })

  it('has groups as a list or a text, under a name or along dots', () => {
    const groupsOf = (more: object, groupsClaim = 'groups') =>
      readClaims({ ...TOKEN, ...more }, { ...READING, groupsClaim })?.groups
    expect(groupsOf({})).toEqual([])
    expect(groupsOf({ groups: 'one' })).toEqual(['one'])
    expect(groupsOf({ groups: ['one', 2, null, 'two'] })).toEqual(['one', 'two'])
    expect(groupsOf({ realm_access: { roles: ['r'] } }, 'realm_access.roles')).toEqual(['r'])
    expect(groupsOf({ 'https://a.example/groups': ['g'] }, 'https://a.example/groups')).toEqual(['g'])
    expect(groupsOf({ realm_access: 'x' }, 'realm_access.roles')).toEqual([])
    expect(groupsOf({}, 'constructor.name')).toEqual([])
    expect(groupsOf({ groups: Array.from({ length: 3_000 }, (_, n) => `g${n}`) })).toHaveLength(2_000)
  })

  it('has a confirmed address only where the provider says so, or is trusted without saying', () => {
    const confirmed = (email_verified: unknown, trustsEmail = false) =>
      hasConfirmedEmail(readClaims({ ...TOKEN, email_verified }, { ...READING, trustsEmail })!)
    expect([true, 'true', false, 'false', 1, undefined].map((said) => confirmed(said))).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
    expect([confirmed(undefined, true), confirmed(false, true)]).toEqual([true, false])
    expect(hasConfirmedEmail(readClaims({ ...TOKEN, email: 'no' }, READING)!)).toBe(false)
  })

  it('is nothing without an issuer and a subject that can be stored', () => {
    for (const wrong of [{ iss: 1 }, { sub: '' }, { sub: 5 }, { sub: 'a\0' }, { sub: 'x'.repeat(256) }])
      expect(readClaims({ ...TOKEN, ...wrong }, READING)).toBeUndefined()
    expect(readClaims({ ...TOKEN, sub: 'x'.repeat(255) }, READING)?.subject).toHaveLength(255)
  })

  it('is asked for further where address or groups are missing, and refused where groups are elsewhere', () => {
    expect(isComplete({ ...TOKEN, groups: [] }, READING)).toBe(true)
    expect(isComplete(TOKEN, READING)).toBe(false)
    expect(isComplete({ groups: [] }, READING)).toBe(false)
    expect(namesGroupsElsewhere({ _claim_names: { groups: 'x' } }, READING)).toBe(true)
    expect(namesGroupsElsewhere({ _claim_names: { other: 'x' } }, READING)).toBe(false)
    expect(namesGroupsElsewhere({ _claim_names: 'groups' }, READING)).toBe(false)
    expect(namesGroupsElsewhere({}, READING)).toBe(false)
  })
})

describe('a sign-in under way', () => {
  it('has a nonce and a verifier that follow from state and browser together, and from nothing less', () => {
    const all = ['a', 'b'].flatMap((state) => ['x', 'y'].map((browserToken) => ({ state, browserToken })))
    const derived = all.flatMap((one) => [nonceOf(one), verifierOf(one)])
    expect(new Set(derived).size).toBe(8)
    for (const text of derived) expect(text).toMatch(/^[\w-]{43}$/)
  })

  it('is finished by a process of another version than the one that began it', () => {
    const handshake = { state: 'state', browserToken: 'token' }
    expect(nonceOf(handshake)).toBe('fmCjlzyui3674uiGRT-Z4alRTNUBw7MtRNYzTaowUNc')
    expect(verifierOf(handshake)).toBe('xU30K8DFaSqT3ysBnjpyLxB3dsRweIYADCUnZgbPCcQ')
  })

  it('is found again by the state of the answer and the cookie of the browser, for 15 minutes', () => {
    expect(stateOf('?code=c&state=s%20t')).toBe('s t')
    expect(stateOf('?code=c')).toBeUndefined()
    expect(HANDSHAKE_LIFETIME_MS).toBe(900_000)
    const token = 'a'.repeat(43)
    const cookie = handshakeCookie(token, true)
    expect(cookie).toBe(`__Host-pricetape-identity=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=900; Secure`)
    expect(handshakeToken(`x=1; __Host-pricetape-identity=${token}`, true)).toBe(token)
    expect(handshakeToken(`pricetape-identity=${token}`, true)).toBeUndefined()
    for (const other of ['short', `x.${token}`, `${token}.x`])
      expect(handshakeToken(`pricetape-identity=${other}`, false)).toBeUndefined()
  })
})

describe('which account an identity is linked to by its address', () => {
  const account = { accountId: 'a', email: 'e', name: 'n', operator: false, disabledAt: null } as const
  const at = '2026-01-01T00:00:00.000Z' as never
  const ways = { passkeys: 0, codes: false, identities: 0 }
  const may = (more: object, others: object = {}) =>
    mayLinkByEmail({ ...account, emailVerifiedAt: at, createdAt: at, ...more }, { ...ways, ...others })
  it('is one with that confirmed address, without operator rights, codes, passkeys and another identity', () => {
    expect(may({})).toBe(true)
    expect(may({ emailVerifiedAt: null })).toBe(false)
    expect(may({ operator: true })).toBe(false)
    expect([may({}, { passkeys: 1 }), may({}, { codes: true }), may({}, { identities: 1 })]).toEqual([
      false,
      false,
      false,
    ])
  })

  it('is unlinked by its owner where a password or passkey still signs in', () => {
    expect(mayUnlink({ password: true, passkeys: 0, only: false })).toBe(true)
    expect(mayUnlink({ password: false, passkeys: 1, only: false })).toBe(true)
    expect(mayUnlink({ password: false, passkeys: 0, only: false })).toBe(false)
    expect(mayUnlink({ password: true, passkeys: 1, only: true })).toBe(false)
  })
})

describe('roles by groups', () => {
  const mapping = [
    { group: 'admins', workspaceId: 'w', role: 'admin' },
    { group: 'people', workspaceId: 'w', role: 'member' },
    { group: 'people', workspaceId: 'v', role: 'member' },
  ] as const
  it('are the highest that a group gives in a workspace, and none where no group gives one', () => {
    expect([...rolesOf(['people', 'admins'], [...mapping])]).toEqual([
      ['w', 'admin'],
      ['v', 'member'],
    ])
    expect([...rolesOf(['admins', 'people'], [...mapping].reverse())]).toEqual([
      ['v', 'member'],
      ['w', 'admin'],
    ])
    expect([...rolesOf([], [...mapping])]).toEqual([
      ['w', undefined],
      ['v', undefined],
    ])
  })

  it('change to what the groups say, but the last admin stays', () => {
    const plan = (want: 'admin' | 'member' | undefined, role: 'admin' | 'member' | null, otherAdmins: number) =>
      planRoles(new Map([['w', want]]), [{ workspaceId: 'w', role, otherAdmins }]).map(
        (one) => `${one.change} ${one.role}`,
      )
    expect([plan('member', null, 1), plan('admin', null, 0), plan(undefined, null, 0)]).toEqual([
      ['joins member'],
      ['joins admin'],
      [],
    ])
    expect(plan('member', null, 0)).toEqual(['refused member'])
    expect([plan('admin', 'member', 1), plan('member', 'admin', 1), plan(undefined, 'admin', 1)]).toEqual([
      ['changes admin'],
      ['changes member'],
      ['leaves admin'],
    ])
    expect([plan('member', 'admin', 0), plan(undefined, 'admin', 0)]).toEqual([['kept admin'], ['kept admin']])
    expect([plan('admin', 'admin', 0), plan('member', 'member', 0), plan(undefined, 'member', 0)]).toEqual([
      [],
      [],
      ['leaves member'],
    ])
  })
})
