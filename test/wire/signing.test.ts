import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSecret, signedHeaders } from '../../src/webhooks/attempts/signing.ts'

/** Published vectors of the Standard Webhooks reference libraries (JavaScript and others; Rust). */
const VECTORS = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    id: 'msg_27UH4WbU6Z5A5EzD8u03UvzRbpk',
    seconds: 1649367553,
    body: '{"email":"test@example.com","username":"test_user"}',
    signature: 'v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=',
  },
]

describe('signed headers', () => {
  test.each(VECTORS)('the published vector of $id is met', ({ secret, id, seconds, body, signature }) => {
    const headers = signedHeaders({ id, secrets: [secret], at: seconds * 1000 + 999, body })
    expect(headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'pricetape-webhooks/1.0',
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
      'svix-id': id,
      'svix-timestamp': String(seconds),
      'svix-signature': signature,
    })
  })

  test('during a rotation there are two signatures with one space between, and either key verifies', () => {
    const [fresh, old] = [newSecret(), newSecret()]
    const headers = signedHeaders({ id: 'evt_1', secrets: [fresh, old], at: new Date(), body: '{"price":"0.5 €"}' })
    expect(headers['webhook-signature']).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/)
    for (const secret of [fresh, old]) new Webhook(secret).verify('{"price":"0.5 €"}', headers)
    expect(() => new Webhook(newSecret()).verify('{"price":"0.5 €"}', headers)).toThrow()
  })

  test('an id that could be confused with the timestamp is never signed', () => {
    for (const id of ['', 'evt.1', 'evt 1', 'evt\n1', 'évt'])
      expect(() => signedHeaders({ id, secrets: [newSecret()], at: 0, body: '{}' })).toThrow(/not an event id/)
    expect(() => signedHeaders({ id: 'evt_1', secrets: [], at: 0, body: '{}' })).toThrow(/no secret/)
  })

  test('a new secret is whsec_ and 24 bytes in base64 without padding, another each time', () => {
    const secrets = Array.from({ length: 50 }, newSecret)
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/)
    expect(new Set(secrets).size).toBe(50)
  })
})
