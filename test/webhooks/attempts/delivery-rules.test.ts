import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../../src/lib/instant.ts'
import { afterFailure, pauseForecast, type Streak } from '../../../src/webhooks/attempts/auto-pause-rules.ts'
import { bodyOf, LOG_KEPT_MS, testEvent } from '../../../src/webhooks/attempts/delivery-rules.ts'
import {
  formatWait,
  MAX_ATTEMPTS,
  nextTry,
  RETRY_WAITS_MS,
} from '../../../src/webhooks/attempts/retry-schedule-rules.ts'
import { retrySteps } from '../../../src/webhooks/attempts/retry-steps-rules.ts'

const DAY = 24 * 3_600_000
const at = '2026-11-21T10:15:00.000Z' as Instant

describe('the retry schedule', () => {
  it('has six attempts, the retries after 5 min, 30 min, 2 h, 8 h and 24 h', () => {
    expect(MAX_ATTEMPTS).toBe(6)
    expect(RETRY_WAITS_MS.map(formatWait)).toEqual(['5 min', '30 min', '2 h', '8 h', '24 h'])
    expect(RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0)).toBe((34 * 60 + 35) * 60_000)
  })

  it('counts each wait from the failure before it, and has none after the sixth', () => {
    expect(nextTry(1, at)).toBe('2026-11-21T10:20:00.000Z')
    expect(nextTry(5, at)).toBe('2026-11-22T10:15:00.000Z')
    expect(nextTry(6, at)).toBeUndefined()
  })

  it('formats waits as people say them', () => {
    expect([1_000, 61 * 60_000, 119 * 60_000 + 59_999].map(formatWait)).toEqual(['1 min', '1 h 1 min', '2 h'])
  })
})

describe('pausing', () => {
  const four = (first: Instant): Streak => ({ failuresInRow: 4, firstFailureAt: first })

  it('pauses at the fifth failure in a row, the first exactly 24 hours before', () => {
    expect(afterFailure(four(at), plus(at, DAY)).pauses).toBe(true)
  })

  it('does not pause one millisecond earlier', () => {
    expect(afterFailure(four(at), plus(at, DAY - 1)).pauses).toBe(false)
  })

  it('does not pause at the fourth failure, however long they last', () => {
    const streak = { failuresInRow: 3, firstFailureAt: at }
    expect(afterFailure(streak, plus(at, 10 * DAY)).pauses).toBe(false)
  })

  it('pauses at a later failure when the fifth came too early', () => {
    const fifth = afterFailure(four(at), plus(at, 1_000))
    expect(afterFailure(fifth, plus(at, DAY)).pauses).toBe(true)
  })

  it('begins a streak with its first failure', () => {
    expect(afterFailure({ failuresInRow: 0 }, at)).toEqual({ failuresInRow: 1, firstFailureAt: at, pauses: false })
  })
})

describe('what would pause a webhook', () => {
  it('is a number of failures, and an instant before which none pauses it', () => {
    expect(pauseForecast({ failuresInRow: 0 })).toBeUndefined()
    expect(pauseForecast({ failuresInRow: 0, firstFailureAt: at })).toBeUndefined()
    expect(pauseForecast({ failuresInRow: 2 })).toBeUndefined()
    const notBefore = plus(at, DAY)
    expect(pauseForecast({ failuresInRow: 2, firstFailureAt: at })).toEqual({ failuresLeft: 3, notBefore })
    expect(pauseForecast({ failuresInRow: 9, firstFailureAt: at })).toEqual({ failuresLeft: 1, notBefore })
  })
})

describe('the retry schedule of a delivery', () => {
  const failed = (number: number, cycle = 1) => ({ cycle, number, at: plus(at, number), outcome: 'failed' as const })
  const states = (delivery: Parameters<typeof retrySteps>[0]) => retrySteps(delivery).map(({ state }) => state)

  it('shows when each attempt that is left is made at the earliest', () => {
    const nextTryAt = plus(at, 300_000)
    const steps = retrySteps({ status: 'pending', cycle: 1, nextTryAt, attempts: [failed(1)] })
    expect(steps.map(({ state, at: when }) => [state, when])).toEqual([
      ['failed', plus(at, 1)],
      ['next', '2026-11-21T10:20:00.000Z'],
      ['planned', '2026-11-21T10:50:00.000Z'],
      ['planned', '2026-11-21T12:50:00.000Z'],
      ['planned', '2026-11-21T20:50:00.000Z'],
      ['planned', '2026-11-22T20:50:00.000Z'],
    ])
    expect(steps[0]).toEqual({ number: 1, state: 'failed', at: plus(at, 1) })
    expect(steps[0]).not.toHaveProperty('waitMs')
    expect(steps[1]!.waitMs).toBe(300_000)
  })

  it('ends with a success, begins again with a resend, and counts no fault of ours', () => {
    const succeeded = { ...failed(2), outcome: 'succeeded' as const }
    const omitted = ['omitted', 'omitted', 'omitted', 'omitted']
    expect(states({ status: 'succeeded', cycle: 1, attempts: [failed(1), succeeded] })).toEqual([
      'failed',
      'succeeded',
      ...omitted,
    ])
    const again = states({ status: 'pending', cycle: 2, nextTryAt: at, attempts: [failed(1)] })
    expect(again.slice(0, 2)).toEqual(['next', 'planned'])
    const fault = { ...failed(1), outcome: 'platform' as const }
    expect(states({ status: 'pending', cycle: 1, nextTryAt: at, attempts: [fault] })[0]).toBe('next')
    const started = { ...failed(1), outcome: 'started' as const }
    const running = retrySteps({ status: 'pending', cycle: 1, nextTryAt: at, attempts: [started] })
    expect(running.slice(0, 2)).toMatchObject([{ state: 'started' }, { state: 'planned' }])
    expect(running[1]!.at).toBeUndefined()
  })
})

describe('the body', () => {
  it('is the event’s, byte for byte', () => {
    const body = '{"version":"price-change.v1","resource":"模型 é","price":"0.0000025"}'
    expect(bodyOf(body, undefined)).toBe(body)
  })

  it('has the alias spliced in at its end, and nothing else touched', () => {
    const body = '{"id":"evt_1","note":"}{","price":"1.10"}'
    const alias = '{"id":"0197","name":"GPT “4o” {}"}'
    expect(bodyOf(body, alias)).toBe(
      '{"id":"evt_1","note":"}{","price":"1.10","alias":{"id":"0197","name":"GPT “4o” {}"}}',
    )
    expect(JSON.parse(bodyOf(body, alias))).toEqual({ ...JSON.parse(body), alias: JSON.parse(alias) })
  })
})

describe('the log of a webhook', () => {
  it('is kept for 30 days', () => {
    expect(LOG_KEPT_MS).toBe(30 * DAY)
  })
})

describe('a test event', () => {
  const webhook = '0197a8a0-0000-7000-8000-000000000001'

  it('has the body the specification shows', () => {
    const { id, body } = testEvent(webhook, at)
    expect(id).toMatch(/^test_[0-9a-f-]{36}_\d+$/)
    expect(JSON.parse(body)).toEqual({
      version: 'webhook-test.v1',
      type: 'webhook.test',
      id,
      createdAt: at,
      test: true,
      message: expect.stringContaining('test'),
    })
  })

  it('is shared within a minute and not beyond', () => {
    expect(testEvent(webhook, plus(at, 59_999)).id).toBe(testEvent(webhook, at).id)
    expect(testEvent(webhook, plus(at, 60_000)).id).not.toBe(testEvent(webhook, at).id)
  })
})
