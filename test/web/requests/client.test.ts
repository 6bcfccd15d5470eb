import { describe, expect, it } from 'vitest'
import { ApiError, ConnectionError, call } from '../../../src/web/api/connection/client.ts'
import { deliveryQuery, resumeWebhook } from '../../../src/web/api/webhooks.ts'
import { changeKey, createKey } from '../../../src/web/api/workspace.ts'
import { answering } from './sent.ts'

const route = (method: 'GET' | 'POST', path: string) => ({ method, path }) as never
const ask = (given: object = {}) => call(route('POST', '/v1/things'), given as never) as Promise<unknown>
const refused = (error: unknown) => ({ ...(error as ApiError), message: (error as Error).message })

describe('a request of the app', () => {
  it('has its parameters in the path, encoded', async () => {
    const sent = answering()
    await (deliveryQuery('a/b', 'c?d#e').queryFn as () => unknown)()
    expect(sent[0]!.address).toBe('/v1/webhooks/a%2Fb/deliveries/c%3Fd%23e?')
  })

  it('accepts JSON, and says that its body is JSON where it has one', async () => {
    const sent = answering()
    await ask()
    await ask({ body: { name: 'a' } })
    expect(sent.map(({ init: { headers, body } }) => [headers, body])).toEqual([
      [{ accept: 'application/json' }, undefined],
      [{ accept: 'application/json', 'content-type': 'application/json' }, '{"name":"a"}'],
    ])
  })

  it('arrives also when its page is left, where it is not too large for that', async () => {
    const sent = answering()
    await ask({ body: 'x'.repeat(19_997) })
    await ask({ body: 'x'.repeat(19_998) })
    await ask()
    expect(sent.map(({ init }) => init.keepalive)).toEqual([true, false, undefined])
  })

  it('has what is answered, or nothing', async () => {
    answering({ body: { a: 1 } }, { body: '' })
    expect([await ask(), await ask()]).toEqual([{ a: 1 }, undefined])
  })
})

describe('a request that fails', () => {
  it('says what the service says, which field is at fault and how long to wait', async () => {
    const error = { code: 'invalid_body', message: 'name: Too long.', field: 'name' }
    answering({ status: 400, body: { error }, headers: { 'retry-after': '7' } })
    const failed = await ask().catch(refused)
    expect(failed).toMatchObject({ name: 'ApiError', status: 400, ...error, retryAfter: 7 })
  })

  it('says what the status is where the answer is not the service’s own', async () => {
    answering({ status: 502, body: '<h1>Bad gateway</h1>' })
    const failed = await ask().catch(refused)
    expect(failed).toMatchObject({ status: 502, code: 'unknown', retryAfter: undefined, field: undefined })
    expect((failed as Error).message).toMatch(/^The service answered 502 .*Try again in a moment\.$/)
  })

  it('is another failure where no answer comes back', async () => {
    answering()
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    const failed = await ask().catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ConnectionError)
    expect(failed).not.toBeInstanceOf(ApiError)
    expect((failed as Error).message).toBe('The service cannot be reached. Nothing you typed is lost: try again.')
  })
})

describe('what a page sends', () => {
  it('has the networks of a key one by one, however they were typed', async () => {
    const sent = answering()
    const networks = ' 203.0.113.0/24, 2001:db8::/32\n198.51.100.7 '
    await createKey('w1', { name: 'k', networks })
    await createKey('w1', { name: 'k', networks: ' ', expiresAt: '2027-01-01T00:00:00Z' })
    await changeKey('w1', 'k1', { networks })
    const list = ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7']
    expect(sent.map(({ method, address, init }) => [method, address, JSON.parse(init.body as string)])).toEqual([
      ['POST', '/v1/keys?workspace=w1', { name: 'k', networks: list }],
      ['POST', '/v1/keys?workspace=w1', { name: 'k', networks: [], expiresAt: '2027-01-01T00:00:00Z' }],
      ['PATCH', '/v1/keys/k1?workspace=w1', { networks: list }],
    ])
  })

  it('resends what was not sent only where that is asked for', async () => {
    const sent = answering()
    await resumeWebhook('h1', true)
    await resumeWebhook('h1', false)
    expect(sent.map(({ address }) => address)).toEqual([
      '/v1/webhooks/h1/resume?resend=paused',
      '/v1/webhooks/h1/resume?',
    ])
  })
})
