import { describe, expect, it } from 'vitest'
import { browserCookie, browserToken } from '../../src/accounts/passkeys/browser-cookie-rules.ts'
import {
  creationOptions,
  readClientData,
  requestOptions,
  userHandle,
} from '../../src/accounts/passkeys/passkey-rules.ts'
import { expectedOrigin, relyingPartyOf } from '../../src/accounts/passkeys/relying-party-rules.ts'

const ACCOUNT = { accountId: '019aa000-0000-7000-8000-000000000001', email: 'ada@example.com', name: 'Ada' }
const PARTY = { id: 'prices.example.com', origin: 'https://prices.example.com' }

describe('the service as passkeys know it', () => {
  it.each([
    ['https://prices.example.com/', { id: 'prices.example.com', origin: 'https://prices.example.com' }],
    ['https://Prices.Example.com:8443/x', { id: 'prices.example.com', origin: 'https://prices.example.com:8443' }],
    ['http://localhost:8080', { id: 'localhost', origin: 'http://localhost:8080' }],
    ['http://prices.localhost', { id: 'prices.localhost', origin: 'http://prices.localhost' }],
    [undefined, { id: 'localhost' }],
    ['http://prices.example.com', undefined],
    ['http://notlocalhost', undefined],
    ['https://192.0.2.1', undefined],
    ['https://[2001:db8::1]', undefined],
    ['http://127.0.0.1:8080', undefined],
    ['ftp://localhost', undefined],
  ])('behind %s is %j', (publicUrl, party) => {
    expect(relyingPartyOf(publicUrl)).toEqual(party)
  })

  it.each([
    ['https://evil.example.com', 'http://localhost'],
    ['http://localhost:5173', 'http://localhost:5173'],
    ['http://localhost:1@evil.example.com', 'http://localhost'],
    ['https://localhost:8080', 'http://localhost'],
    ['http://localhost.evil.example.com', 'http://localhost'],
  ])('without a public address takes, of what %s claims, %s', (claimed, expected) => {
    expect(expectedOrigin({ id: 'localhost' }, claimed)).toBe(expected)
  })

  it('with a public address takes that origin alone', () => {
    expect(expectedOrigin(PARTY, 'http://localhost:8080')).toBe('https://prices.example.com')
  })
})

describe('what browsers are asked for', () => {
  it('is a passkey that is found without a name, whose owner the device recognizes, on no device that has one', () => {
    expect(creationOptions({ party: PARTY, challenge: 'c', account: ACCOUNT, present: ['abc'] })).toMatchObject({
      rp: { id: 'prices.example.com', name: 'Pricetape' },
      user: { id: 'AZqgAAAAcACAAAAAAAAAAQ', name: 'ada@example.com', displayName: 'Ada' },
      excludeCredentials: [{ id: 'abc', type: 'public-key' }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      timeout: 300_000,
    })
  })

  it('is to sign in with any passkey of the service, whose owner the device recognizes', () => {
    expect(requestOptions(PARTY, 'c')).toEqual({
      rpId: 'prices.example.com',
      challenge: 'c',
      timeout: 300_000,
      userVerification: 'required',
    })
  })

  it('names an account by bytes that say nothing about its owner', () => {
    expect(userHandle(ACCOUNT.accountId)).toBe('AZqgAAAAcACAAAAAAAAAAQ')
  })
})

describe('what browsers say they were asked', () => {
  const written = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  it('is read, and nothing of it where it is not JSON or has no challenge', () => {
    expect(readClientData(written({ challenge: 'c', origin: 'o', more: 1 }))).toEqual({ challenge: 'c', origin: 'o' })
    for (const wrong of [
      '',
      'e30',
      'bnVsbA',
      '!!',
      written({ challenge: 1, origin: 'o' }),
      written({ challenge: 'c' }),
    ])
      expect(readClientData(wrong)).toBeUndefined()
  })
})

describe('the cookie of a browser that signs in', () => {
  const token = 'T'.repeat(43)
  it('lasts as long as a challenge, over HTTPS under a name that only this host can set', () => {
    expect(browserCookie(token, true)).toBe(
      `__Host-pricetape-passkey=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=300; Secure`,
    )
    expect(browserCookie(token, false)).toBe(
      `pricetape-passkey=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=300`,
    )
  })

  it('is found among others, and is none of ours when its form is another', () => {
    expect(browserToken(`pricetape=x; pricetape-passkey=${token}; a=b`, false)).toBe(token)
    expect(browserToken(`pricetape-passkey=${token}`, true)).toBeUndefined()
    expect(browserToken(`my-pricetape-passkey=${token}`, false)).toBeUndefined()
    expect(browserToken('pricetape-passkey=short', false)).toBeUndefined()
    expect(browserToken(undefined, false)).toBeUndefined()
  })
})
