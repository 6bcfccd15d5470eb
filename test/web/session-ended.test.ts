import { afterEach, describe, expect, it } from 'vitest'
import { ApiError } from '../../src/web/api/connection/client.ts'
import { sessionEnded } from '../../src/web/api/connection/session-ended.ts'

const refusal = (status: number, code: string) => new ApiError(status, { code, message: 'Sign in.' })
const unauthorized = refusal(401, 'unauthorized')

describe('a session that has ended', () => {
  afterEach(() => void sessionEnded.signedIn())

  it('is noticed when a page reads by itself; then nothing is to be sent once more', () => {
    sessionEnded.notice(unauthorized, 'read')
    expect(sessionEnded.is()).toBe(true)
    expect(sessionEnded.signedIn()).toBe(false)
    expect(sessionEnded.is()).toBe(false)
  })

  it('leaves a change undone, also one that was sent after it was noticed, and says so once', () => {
    sessionEnded.notice(unauthorized, 'read')
    sessionEnded.notice(unauthorized, 'change')
    expect(sessionEnded.signedIn()).toBe(true)
    sessionEnded.notice(unauthorized, 'read')
    expect(sessionEnded.signedIn()).toBe(false)
  })

  it('is of someone else where another account has signed in', () => {
    const another = new ApiError(401, { code: 'unauthorized', message: 'Sign in.', field: 'pricetape-account' })
    for (const [error, isReplaced] of [
      [another, true],
      [unauthorized, false],
      [another, true],
    ] as const) {
      sessionEnded.notice(error)
      expect([sessionEnded.is(), sessionEnded.isReplaced()]).toEqual([true, isReplaced])
    }
    sessionEnded.signedIn()
    expect(sessionEnded.isReplaced()).toBe(false)
  })

  it('is not said to whoever leaves, and is to whoever could not or came back', async () => {
    await sessionEnded.leave(async () => sessionEnded.notice(unauthorized, 'read'))
    sessionEnded.notice(unauthorized, 'read')
    expect(sessionEnded.is()).toBe(false)
    sessionEnded.signedIn()
    sessionEnded.notice(unauthorized, 'read')
    expect(sessionEnded.is()).toBe(true)

    sessionEnded.signedIn()
    await expect(sessionEnded.leave(() => Promise.reject(new Error('offline')))).rejects.toThrow('offline')
    sessionEnded.notice(unauthorized, 'read')
    expect(sessionEnded.is()).toBe(true)
  })

  it('is not what another refusal means', () => {
    sessionEnded.notice(refusal(401, 'code_required'), 'change')
    sessionEnded.notice(refusal(403, 'forbidden'), 'change')
    sessionEnded.notice(new Error('broken'), 'change')
    expect([sessionEnded.is(), sessionEnded.signedIn()]).toEqual([false, false])
  })
})
