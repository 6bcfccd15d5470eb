import { describe, expect, it } from 'vitest'
import { advice, answerOf, deliveryState, resendsBefore } from '../../src/web/pages/delivery/answer.ts'
import { roundOf } from '../../src/web/pages/delivery/next-round.ts'

describe('an attempt, as pages tell it', () => {
  it.each([
    [{ outcome: 'started' }, 'sending'],
    [{ outcome: 'failed', status: 500 }, 'HTTP 500'],
    [{ outcome: 'succeeded', status: 204 }, 'HTTP 204'],
    [{ outcome: 'failed', error: 'The host was not found.' }, 'The host was not found.'],
    [{ outcome: 'unknown' }, 'no response'],
  ] as const)('%j has no answer that it does not have: %s', (attempt, said) => {
    expect(answerOf(attempt)).toBe(said)
  })

  it('does not blame the address where no one knows whether the endpoint took it', () => {
    const error = 'The outcome is unknown: the sender stopped during the attempt, so the endpoint may have received it.'
    expect(advice({ outcome: 'unknown', error })).toBe(
      'It is sent again under the same event id: an endpoint that knows the id can skip it.',
    )
    expect(advice({ outcome: 'failed', error: 'The host was not found.' })).toContain('reachable from the internet')
    expect(advice({ outcome: 'platform' })).toContain('Our fault')
  })
})

describe('what usually helps after an attempt', () => {
  const certificate =
    'Serve a certificate that a public authority signed for the host in the URL, with its whole chain.'
  const refused = 'Your endpoint refused it. Check that it verifies with the right secret.'
  const path = 'Check that the path of the URL is right and accepts POST requests.'
  const redirected = 'Redirects are not followed: enter the final address as the URL of the webhook.'
  const unusual = 'Only a 2xx response within 5 seconds is a success.'
  const ended = 'Look at the log of the proxy or of the endpoint: it ended the connection.'
  const slow = 'Respond first and do the work later: after 5 seconds an attempt fails.'
  it.each([
    ['TLS handshake failed', undefined, certificate],
    ['the Certificate has expired', undefined, certificate],
    ['no answer within 5 s', undefined, slow],
    ['10.0.0.1 is not a public address', undefined, 'Publish public addresses only for the host in the URL.'],
    ['the connection was reset', undefined, ended],
    ['the connection was closed', 200, ended],
    ['', undefined, 'Check that the host and the port of the URL are reachable from the internet.'],
    ['', 401, refused],
    ['', 403, refused],
    ['', 404, path],
    ['', 405, path],
    ['', 299, unusual],
    ['', 300, redirected],
    ['', 399, redirected],
    ['', 400, unusual],
    ['', 499, unusual],
    ['', 500, 'Your endpoint failed. Check its logs.'],
  ] as const)('with the error “%s” and the status %s is: %s', (error, status, said) => {
    expect(advice({ outcome: 'failed', error, ...(status && { status }) })).toBe(said)
  })
})

it('A resend of which no attempt was made has no number', () => {
  const attempts = [1, 1, 3, 4, 4].map((cycle) => ({ cycle }))
  expect([1, 3, 4].map((cycle) => resendsBefore(attempts, cycle))).toEqual([0, 1, 2])
})

describe('the round that makes an attempt', () => {
  const now = Date.parse('2026-11-23T12:12:08.000Z')

  it.each([
    ['2026-11-23T12:15:33.000Z', '2026-11-23T12:20:00.000Z'],
    ['2026-11-23T12:15:00.000Z', '2026-11-23T12:15:00.000Z'],
    ['2026-11-23T12:12:08.000Z', undefined],
    ['2026-11-23T12:09:59.000Z', undefined],
  ])('is for what is due at %s that of %s', (due, round) => {
    expect(roundOf(due, now)).toBe(round)
  })
})

describe('the state of a delivery', () => {
  const pending = { status: 'pending', cycle: 2, notSent: false } as const
  const attempt = (outcome: 'started' | 'failed' | 'unknown', cycle = 2) => ({ cycle, outcome })

  it.each([
    ['before its first attempt', [], 'pending'],
    ['whose attempts belong to an earlier sending', [attempt('failed', 1)], 'pending'],
    ['whose first attempt is being made', [attempt('started')], 'sending'],
    ['whose second attempt is being made', [attempt('failed'), attempt('started')], 'sending'],
    ['that failed and is sent again', [attempt('failed')], 'retrying'],
    ['of which no one knows', [attempt('unknown')], 'retrying'],
  ] as const)('%s is %s', (_name, attempts, state) => {
    expect(deliveryState({ ...pending, attempts: [...attempts] })).toBe(state)
  })

  it('is what it came to in the end', () => {
    const attempts = [attempt('failed')]
    expect(deliveryState({ ...pending, status: 'succeeded', attempts })).toBe('succeeded')
    expect(deliveryState({ ...pending, status: 'failed', attempts })).toBe('failed')
    expect(deliveryState({ ...pending, status: 'failed', notSent: true, attempts })).toBe('notSent')
  })
})
