import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const DAY_MS = 86_400_000

export type Authority = { name: string; key: KeyObject /** PEM, to trust. */; ca: string }
export type Certificate = { key: string; cert: string }

/** A certificate authority of this test's own. */
export function testAuthority(name = 'Test authority'): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { name, key: privateKey, ca: issue({ issuer: name, key: privateKey }, name, publicKey, { authority: true }) }
}

/** A certificate for these host names, valid around now unless `expired`. */
export function certificateFor(
  authority: Authority,
  names: string[],
  options: { expired?: boolean } = {},
): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const cert = issue({ issuer: authority.name, key: authority.key }, names[0] ?? 'nobody', publicKey, {
    names,
    ...options,
  })
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
}

function issue(
  by: { issuer: string; key: KeyObject },
  subject: string,
  publicKey: KeyObject,
  options: { names?: string[]; authority?: boolean; expired?: boolean },
): string {
  const now = Date.now()
  const [from, to] = options.expired ? [now - 3 * DAY_MS, now - DAY_MS] : [now - DAY_MS, now + DAY_MS]
  const algorithm = sequence(oid('1.2.840.10045.4.3.2')) // ecdsa-with-SHA256
  const extensions = [
    sequence(oid('2.5.29.19'), boolean(true), octets(sequence(...(options.authority ? [boolean(true)] : [])))),
    ...(options.names
      ? [sequence(oid('2.5.29.17'), octets(sequence(...options.names.map((name) => der(0x82, Buffer.from(name))))))]
      : []),
  ]
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    commonName(by.issuer),
    sequence(time(from), time(to)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const signature = sign('sha256', body, by.key)
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

// As much of DER as a certificate needs.
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const integer = (bytes: Buffer) => der(0x02, bytes)
const octets = (bytes: Buffer) => der(0x04, bytes)
const boolean = (value: boolean) => der(0x01, Buffer.from([value ? 255 : 0]))
const time = (at: number) => der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/\.\d+|[-:T]/g, '')}`))
const commonName = (name: string) => sequence(der(0x31, sequence(oid('2.5.4.3'), der(0x0c, Buffer.from(name)))))
function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const groups = [part & 127]
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128)
    bytes.push(...groups)
  }
  return der(0x06, Buffer.from(bytes))
}
