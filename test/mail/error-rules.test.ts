import { describe, expect, it } from 'vitest'
import { mailErrorOf } from '../../src/mail/error-rules.ts'

const server = { host: 'mail.example.com', port: 587 } as Parameters<typeof mailErrorOf>[1]
const auth = { user: 'prices', pass: 'open sesame' }
const errorOf = (message: string, more: object = {}, of: object = {}) =>
  mailErrorOf(Object.assign(new Error(message), more), { ...server, ...of } as typeof server)

describe('an error of a mail server', () => {
  it('names the server and what it said, in one line of at most 300 characters', () => {
    expect(errorOf('550 no\r\n  such user').message).toBe(
      'The mail server mail.example.com:587 did not take the message: 550 no such user',
    )
    expect(errorOf('x'.repeat(999)).message).toBe(
      `The mail server mail.example.com:587 did not take the message: ${'x'.repeat(300)}`,
    )
  })

  it('has no user name and no password, also not in base64', () => {
    const said = `prices open sesame ${Buffer.from('open sesame').toString('base64')} prices`
    expect(errorOf(said, {}, { auth }).message).toContain('message: [redacted] [redacted] [redacted] [redacted]')
    expect(errorOf('no', {}, { auth: { user: '', pass: 'x1' } }).message).toContain('message: no')
  })

  it('has no address of whom it was for, however the server spells it', () => {
    const said = Object.assign(new Error('<Ada@example.com> <ada@example.com> is busy'), {})
    expect(mailErrorOf(said, server, 'Ada@example.com').message).toContain('message: <[redacted]> <[redacted]> is busy')
  })

  it('is permanent when a message was refused for good', () => {
    const permanent = (more: object) => errorOf('no', more).permanent
    for (const command of ['RCPT TO', 'DATA']) expect(permanent({ responseCode: 500, command })).toBe(true)
    expect(permanent({ responseCode: 499, command: 'DATA' })).toBe(false)
    expect(permanent({ responseCode: 550, command: 'DATA', code: 'EAUTH' })).toBe(false)
    expect(permanent({ responseCode: 550, command: 'AUTH PLAIN' })).toBe(false)
    expect(permanent({ responseCode: 550, command: 'XDATA' })).toBe(false)
    expect(permanent({ responseCode: 550, command: 'DATA x' })).toBe(false)
    expect(permanent({ responseCode: 550 })).toBe(false)
    expect(permanent({ command: 'DATA' })).toBe(false)
  })

  it('is not permanent when we were refused, with whatever we send: the settings can be corrected', () => {
    const permanent = (more: object) => errorOf('no', more).permanent
    for (const responseCode of [500, 530, 550, 553]) {
      expect(permanent({ responseCode, command: 'MAIL FROM' })).toBe(false)
    }
    expect(permanent({ responseCode: 530, command: 'RCPT TO' })).toBe(false)
  })
})
