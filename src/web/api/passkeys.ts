import { queryOptions } from '@tanstack/react-query'
import type { Answer, Body } from '../../app/contract.ts'
import type * as passkeys from '../../app/contracts/passkeys.ts'
import { call } from './connection/client.ts'
import { loadPart } from './connection/connection.ts'

type List = Answer<typeof passkeys.listPasskeys>
export type Passkey = List['passkeys'][number]

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => call<typeof passkeys.listPasskeys>('GET', '/v1/account/passkeys', {}),
})

export const renamePasskey = (passkeyId: string, body: { name: string }) =>
  call<typeof passkeys.renamePasskey>('PATCH', '/v1/account/passkeys/:passkeyId', { params: { passkeyId }, body })
export const removePasskey = (passkeyId: string, body: { currentPassword: string }) =>
  call<typeof passkeys.removePasskey>('DELETE', '/v1/account/passkeys/:passkeyId', { params: { passkeyId }, body })

// Few people need it, and a page works before it is there.
const library = () => loadPart(() => import('@simplewebauthn/browser'))

/** Has a device make a passkey and adds it. @throws ApiError, or what the browser says */
export async function addPasskey({ name, currentPassword }: { name: string; currentPassword?: string }) {
  const { startRegistration } = await library()
  const body = currentPassword === undefined ? {} : { currentPassword }
  const { options } = await call<typeof passkeys.beginPasskey>('POST', '/v1/account/passkeys/challenge', { body })
  const passkey = (await startRegistration({ optionsJSON: options })) as Body<typeof passkeys.addPasskey>['passkey']
  return call<typeof passkeys.addPasskey>('POST', '/v1/account/passkeys', { body: { name, passkey } })
}

/**
 * Returns what a device signed. With `autofill` it waits until a passkey is chosen in the field of the address; once that
 * is aborted nothing is asked: a device that is asked again forgets what it was asked before.
 */
export async function askForPasskey({ autofill }: { autofill?: AbortSignal }) {
  const { startAuthentication } = await library()
  const { options } = await call<typeof passkeys.beginPasskeySignIn>('POST', '/v1/sessions/passkey/challenge', {})
  autofill?.throwIfAborted()
  const asked = { optionsJSON: options, useBrowserAutofill: autofill !== undefined }
  return (await startAuthentication(asked)) as SignedByDevice
}
type SignedByDevice = Body<typeof passkeys.signInWithPasskey>['passkey']

export const canAutofill = async (): Promise<boolean> => (await library()).browserSupportsWebAuthnAutofill()

/** Ends what waits for a device. */
export const stopAsking = async (): Promise<void> => (await library()).WebAuthnAbortService.cancelCeremony()

export const signInWithPasskey = (passkey: SignedByDevice) =>
  call<typeof passkeys.signInWithPasskey>('POST', '/v1/sessions/passkey', { body: { passkey } })
