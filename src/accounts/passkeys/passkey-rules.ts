import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { MINUTE } from '../../lib/instant.ts'
import type { RelyingParty } from './relying-party-rules.ts'

/** Passkeys that an account can have. */
export const MAX_PASSKEYS = 20
/** A device has so long to sign a challenge. */
export const CHALLENGE_LIFETIME_MS = 5 * MINUTE

const SERVICE = 'Pricetape'
/** EdDSA, ES256 and RS256: every device has one of them. */
export const ALGORITHMS = [-8, -7, -257]

/** The name by which a device knows an account. It says nothing about its owner. */
export const userHandle = (accountId: string): string =>
  Buffer.from(accountId.replaceAll('-', ''), 'hex').toString('base64url')

type NewCredential = {
  party: RelyingParty
  challenge: string
  account: { accountId: string; email: string; name: string }
  /** A device that has one of them makes no second one. */
  present: string[]
}

/** Returns what a browser needs to make a passkey that is found without a name, and whose owner the device recognizes. */
export const creationOptions = ({
  party,
  challenge,
  account: { accountId, email, name },
  present,
}: NewCredential): PublicKeyCredentialCreationOptionsJSON => ({
  rp: { id: party.id, name: SERVICE },
  user: { id: userHandle(accountId), name: email, displayName: name },
  challenge,
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
  timeout: CHALLENGE_LIFETIME_MS,
  excludeCredentials: present.map((id) => ({ id, type: 'public-key' })),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  attestation: 'none',
  extensions: { credProps: true },
})

/** Returns what a browser needs to sign in with any passkey of this service. */
export const requestOptions = (party: RelyingParty, challenge: string): PublicKeyCredentialRequestOptionsJSON => ({
  rpId: party.id,
  challenge,
  timeout: CHALLENGE_LIFETIME_MS,
  userVerification: 'required',
})

/** Returns what the browser says it was asked, and where; undefined when that cannot be read. */
export function readClientData(clientDataJSON: string): { challenge: string; origin: string } | undefined {
  try {
    const { challenge, origin } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'))
    return typeof challenge === 'string' && typeof origin === 'string' ? { challenge, origin } : undefined
  } catch {
    return undefined
  }
}
