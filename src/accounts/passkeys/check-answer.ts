import { ALGORITHMS } from './passkey-rules.ts'
import type { NewPasskeyAnswer, PasskeyAnswer } from './passkey-schema.ts'
import type { Credential } from './passkey-store.ts'
import { expectedOrigin, type RelyingParty } from './relying-party-rules.ts'

/** A challenge that was ours, and where the browser says it was answered. */
export type Ceremony = { party: RelyingParty; challenge: string; origin: string }

// It takes a part of a second to load and 20 MB, which an API node that no one signs in at does without.
const library = () => import('@simplewebauthn/server')

/** Loads what checks answers, which no transaction should wait for. */
export const loadChecks = async (): Promise<void> => void (await library())

const expected = ({ party, challenge, origin }: Ceremony) => ({
  expectedChallenge: challenge,
  expectedOrigin: expectedOrigin(party, origin),
  expectedRPID: party.id,
  requireUserVerification: true,
})

/** Returns the credential that a device made; undefined when the answer is not one to this challenge. */
export async function checkNewPasskey(ceremony: Ceremony, given: NewPasskeyAnswer): Promise<Credential | undefined> {
  const { verifyRegistrationResponse } = await library()
  const checked = await verifyRegistrationResponse({
    ...expected(ceremony),
    response: { ...given, clientExtensionResults: {} },
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined)
  if (!checked?.verified) return undefined
  const { credential, credentialBackedUp: synced } = checked.registrationInfo
  const { transports } = given.response
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports,
    synced,
  }
}

/**
 * Returns what a use of a passkey changes about it; undefined when it was not signed by its device, for this challenge,
 * by a person whom the device recognized. A count that does not rise shows a copy of the device: it is refused too.
 */
export async function checkUse(
  ceremony: Ceremony,
  given: PasskeyAnswer,
  { credentialId, publicKey, counter, transports }: Credential,
): Promise<{ counter: number; synced: boolean } | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const { userHandle: _, ...response } = given.response
  const checked = await verifyAuthenticationResponse({
    ...expected(ceremony),
    response: { ...given, response, clientExtensionResults: {} },
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter, transports },
  }).catch(() => undefined)
  if (!checked?.verified) return undefined
  const { newCounter, credentialBackedUp } = checked.authenticationInfo
  return { counter: newCounter, synced: credentialBackedUp }
}
