import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import type { creationOptions, requestOptions } from '../../../src/accounts/passkeys/passkey-rules.ts'
import type { NewPasskeyAnswer, PasskeyAnswer } from '../../../src/accounts/passkeys/passkey-schema.ts'

const FLAGS = { present: 0x01, verified: 0x04, canSync: 0x08, synced: 0x10, hasCredential: 0x40 }
const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

/** What a device or its browser does otherwise than it should. */
type Wrong = { origin?: string; rpId?: string; verified?: boolean; userHandle?: string; synced?: boolean }

/** A device with one passkey, as far as a service sees it: it makes a key pair and signs challenges with it. */
export function createAuthenticator({ counts = true, origin = 'http://localhost:8080' } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(16)
  const id = credentialId.toString('base64url')
  let owner = ''
  const device = {
    counter: 0,
    /** Answers the options of a new passkey. */
    make({ challenge, rp, user }: ReturnType<typeof creationOptions>, wrong: Wrong = {}): NewPasskeyAnswer {
      owner = user.id
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const credential = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey(publicKey)])
      const authData = Buffer.concat([authenticatorData(rp.id ?? '', FLAGS.hasCredential, wrong), credential])
      const attestation = new Map<string, Parameters<typeof isoCBOR.encode>[0]>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      const clientDataJSON = clientData('webauthn.create', challenge, wrong).toString('base64url')
      const attestationObject = Buffer.from(isoCBOR.encode(attestation)).toString('base64url')
      return { ...shown(), response: { clientDataJSON, attestationObject, transports: ['internal', 'hybrid'] } }
    },
    /** Answers the options of a sign-in. */
    use({ challenge, rpId }: ReturnType<typeof requestOptions>, wrong: Wrong = {}): PasskeyAnswer {
      if (counts) device.counter++
      const data = authenticatorData(rpId ?? '', 0, wrong)
      const client = clientData('webauthn.get', challenge, wrong)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: wrong.userHandle ?? owner,
      }
      return { ...shown(), response }
    },
  }
  const shown = () => ({ id, rawId: id, type: 'public-key' as const })
  const clientData = (type: string, challenge: string, wrong: Wrong): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: wrong.origin ?? origin, crossOrigin: false }))

  function authenticatorData(rpId: string, more: number, { verified = true, synced = false, ...wrong }: Wrong): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(device.counter)
    const syncs = counts ? 0 : FLAGS.canSync | (synced ? FLAGS.synced : 0)
    const flags = FLAGS.present | more | syncs | (verified ? FLAGS.verified : 0)
    return Buffer.concat([sha256(wrong.rpId ?? rpId), Buffer.from([flags]), counter])
  }
  return device
}

/** A public key as devices write it (RFC 9052): an ES256 key on the curve P-256. */
function coseKey(publicKey: KeyObject): Uint8Array {
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const [keyType, algorithm, curve] = [2, -7, 1]
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, keyType],
      [3, algorithm],
      [-1, curve],
      [-2, coordinate(x!)],
      [-3, coordinate(y!)],
    ]),
  )
}
