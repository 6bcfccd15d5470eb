import { describe, expect, it } from 'vitest'
import { advice, answerOf, deliveryState } from '../../src/web/pages/delivery/answer.ts'
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
