import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { SmtpServer } from '../../../src/lib/http/smtp-url.ts'

export type ReceivedMail = {
  from: string
  to: string[]
  /** By lower-case name, unfolded. */
  headers: Record<string, string>
  text: string
  user?: string
  encrypted: boolean
}

/** A mail server on this machine that keeps what it takes, on a free port or a given one. */
export async function startMailServer(options: SMTPServerOptions = {}, listenOn = 0) {
  const received: ReceivedMail[] = []
  const state = {
    refuseRecipient: undefined as { code: number; address: string; says?: string } | undefined,
    refused: 0,
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error(`no: ${username} ${password}`)),
    onRcptTo({ address }, _session, done) {
      const { refuseRecipient } = state
      if (refuseRecipient?.address !== address) return done()
      state.refused++
      done(Object.assign(new Error(refuseRecipient.says ?? 'not here'), { responseCode: refuseRecipient.code }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          ...readMessage(Buffer.concat(chunks).toString('utf8')),
          ...(typeof session.user === 'string' && { user: session.user }),
          encrypted: session.secure,
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((done) => server.listen(listenOn, '127.0.0.1', () => done()))
  const { port } = server.server.address() as AddressInfo
  const address: SmtpServer = { host: '127.0.0.1', port, tls: 'offered' }
  return { received, state, address, stop: () => new Promise<void>((done) => server.close(() => done())) }
}

function readMessage(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  )
  return { headers, text: bodyText(source.slice(end + 4), headers['content-transfer-encoding']) }
}

function bodyText(body: string, encoding = '7bit'): string {
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? Buffer.from(
            body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number(`0x${hex}`))),
            'latin1',
          )
        : Buffer.from(body)
  return bytes.toString('utf8').replaceAll('\r\n', '\n').trimEnd()
}
