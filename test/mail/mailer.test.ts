import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SmtpServer } from '../../src/lib/http/smtp-url.ts'
import { MAIL_SUBJECTS, type MailSubject } from '../../src/lib/text/mail-subjects.ts'
import { createMailer } from '../../src/mail/create-mailer.ts'
import { MailError } from '../../src/mail/schema.ts'
import { startMailServer } from '../support/servers/mail-server.ts'
import { certificateFor, testAuthority } from '../support/servers/tls.ts'

const from = { name: 'Pricetape “prices”', address: 'prices@example.com' }
const authority = testAuthority()
const identity = certificateFor(authority, ['mail.localhost'])
const mail = {
  id: 'mail 1',
  to: 'ada@example.org',
  subject: MAIL_SUBJECTS.review,
  text: 'Zeile 1: €5\n.\nZeile 3 = ende\n',
}

describe('mail', () => {
  let plain: Awaited<ReturnType<typeof startMailServer>>
  const opened: { stop(): Promise<void> }[] = []
  const start = async (options?: Parameters<typeof startMailServer>[0]) => {
    const server = await startMailServer(options)
    opened.push(server)
    return server
  }
  const send = async (server: SmtpServer, to = mail.to, trust?: { ca?: string }) => {
    await using mailer = createMailer({ server, from }, trust)
    await mailer.sendMail({ ...mail, to })
  }
  const failure = (sent: Promise<void>) =>
    sent.then(
      () => undefined,
      (error: unknown) => error as MailError,
    )
  beforeEach(async () => {
    plain = await start()
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((server) => server.stop()))
  })

  it('arrives at one person with its subject and its text, and asks for no automatic answer', async () => {
    await send(plain.address)
    const [message] = plain.received
    expect(plain.received).toHaveLength(1)
    expect(message).toMatchObject({ from: 'prices@example.com', to: ['ada@example.org'], encrypted: false })
    expect(message!.text).toBe('Zeile 1: €5\n.\nZeile 3 = ende')
    expect(message!.headers).toMatchObject({ to: 'ada@example.org', 'auto-submitted': 'auto-generated' })
    expect(message!.headers['message-id']).toMatch(/^<[0-9a-f]{40}@example\.com>$/)
    expect(message!.headers).not.toHaveProperty('list-unsubscribe')
  })

  it('has the same Message-ID however often it is sent, and no other mail has it', async () => {
    await using mailer = createMailer({ server: plain.address, from })
    for (const id of ['mail 1', 'mail 1', 'mail 2']) await mailer.sendMail({ ...mail, id })
    const [first, again, other] = plain.received.map(({ headers }) => headers['message-id'])
    expect(again).toBe(first)
    expect(other).not.toBe(first)
  })

  it('goes to no other address than the one that is named', async () => {
    for (const to of ['ada@example.org, eve@example.org', 'ada@example.org\r\nbcc: eve@example.org', 'eve', ''])
      expect(await failure(send(plain.address, to))).toMatchObject({ permanent: true })
    expect(plain.received).toEqual([])
  })

  it('never has a file of this machine or what an address answers for a text', async () => {
    await using mailer = createMailer({ server: plain.address, from })
    for (const text of [{ path: '/etc/hostname' }, { href: 'http://127.0.0.1:1/' }])
      expect(await failure(mailer.sendMail({ ...mail, text: text as never }))).toMatchObject({
        message: expect.stringContaining('access rejected'),
      })
    expect(plain.received).toEqual([])
  })

  it('keeps a subject in its line', async () => {
    await using mailer = createMailer({ server: plain.address, from })
    await mailer.sendMail({ ...mail, subject: 'one\r\nbcc: eve@example.org' as MailSubject })
    expect(plain.received[0]).toMatchObject({
      to: ['ada@example.org'],
      headers: { subject: 'one bcc: eve@example.org' },
    })
  })

  it('is encrypted before the password is sent, with a certificate of an authority that is trusted', async () => {
    const server = await start({ ...identity, authOptional: false })
    const address: SmtpServer = { ...server.address, host: 'localhost', tls: 'starttls', auth }
    const trusted = certificateFor(authority, ['localhost'])
    const right = await start({ ...trusted, authOptional: false })
    await send({ ...address, port: right.address.port }, mail.to, { ca: authority.ca })
    expect(right.received).toMatchObject([{ encrypted: true, user: 'prices' }])
    // Another name in the certificate, or an authority that no one knows.
    expect(await failure(send(address, mail.to, { ca: authority.ca }))).toBeInstanceOf(MailError)
    expect(await failure(send({ ...address, port: right.address.port }))).toBeInstanceOf(MailError)
    expect([server.received, right.received.length]).toEqual([[], 1])
  })

  it('is not sent, nor is the password, to a server that offers no encryption', async () => {
    const error = await failure(send({ ...plain.address, tls: 'starttls', auth }))
    expect(error).toMatchObject({ permanent: false })
    expect(plain.received).toEqual([])
  })

  it('is encrypted on this machine where the server offers it, with whatever certificate that has', async () => {
    const server = await start({ ...identity, authOptional: false })
    await send({ ...server.address, auth })
    expect(server.received).toMatchObject([{ encrypted: true, user: 'prices' }])
  })

  it('can use TLS from the first byte', async () => {
    const server = await start({ ...certificateFor(authority, ['localhost']), secure: true })
    await send({ ...server.address, host: 'localhost', tls: 'implicit' }, mail.to, { ca: authority.ca })
    expect(server.received).toMatchObject([{ encrypted: true }])
  })

  it('is refused for good by a server that does not know the person, and for now by one that is busy', async () => {
    plain.state.refuseRecipient = { code: 550, address: mail.to }
    expect(await failure(send(plain.address))).toMatchObject({ permanent: true })
    plain.state.refuseRecipient = { code: 450, address: mail.to }
    expect(await failure(send(plain.address))).toMatchObject({ permanent: false })
    expect(plain.received).toEqual([])
  })

  it('names the server and the reason of a failure, never the user or the password', async () => {
    const server = await start({ ...certificateFor(authority, ['localhost']), secure: true })
    const address: SmtpServer = { ...server.address, host: 'localhost', tls: 'implicit' }
    const wrong = { user: 'someone', pass: 'kept-secret' }
    const error = await failure(send({ ...address, auth: wrong }, mail.to, { ca: authority.ca }))
    expect(error).toMatchObject({ permanent: false })
    expect(error!.message).toMatch(
      /^The mail server localhost:\d+ did not take the message: .*535 no: \[redacted\] \[redacted\]/,
    )
    expect(JSON.stringify([error!.message, error!.stack])).not.toMatch(/kept-secret|someone/)
  })

  it('fails with a sentence when nothing listens', async () => {
    await plain.stop()
    opened.length = 0
    expect((await failure(send(plain.address)))!.message).toMatch(/ECONNREFUSED/)
  })
})

const auth = { user: 'prices', pass: 'right' }
