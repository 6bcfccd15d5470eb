import { queryOptions } from '@tanstack/react-query'
import type { AnswerOf, BodyOf } from '../../app/contracts.ts'
import * as passkeys from '../../app/passkeys/endpoints.ts'
import { call } from './connection/client.ts'
import { loadPart } from './connection/connection.ts'

type List = AnswerOf<typeof passkeys.listPasskeys>
export type Passkey = List['passkeys'][number]

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: () => call(passkeys.listPasskeys, {}),
})

export const renamePasskey = (passkeyId: string, body: { name: string }) =>
  call(passkeys.renamePasskey, { params: { passkeyId }, body })
export const removePasskey = (passkeyId: string, body: { currentPassword: string }) =>
  call(passkeys.removePasskey, { params: { passkeyId }, body })

// Few people need it, and a page works before it is there.
const library = () => loadPart(() => import('@simplewebauthn/browser'))

/** Has a device make a passkey and adds it. @throws ApiError, or what the browser says */
export async function addPasskey({ name, currentPassword }: { name: string; currentPassword?: string }) {
  const { startRegistration } = await library()
  const body = currentPassword === undefined ? {} : { currentPassword }
  const { options } = await call(passkeys.beginPasskey, { body })
  const passkey = (await startRegistration({ optionsJSON: options })) as BodyOf<typeof passkeys.addPasskey>['passkey']
  return call(passkeys.addPasskey, { body: { name, passkey } })
}

/**
 * Returns what a device signed. With `autofill` it waits until a passkey is chosen in the field of the address; once that
 * is aborted nothing is asked: a device that is asked again forgets what it was asked before.
 */
export async function askForPasskey({ autofill }: { autofill?: AbortSignal }) {
  const { startAuthentication } = await library()
  const { options } = await call(passkeys.beginPasskeySignIn, {})
  autofill?.throwIfAborted()
  const asked = { optionsJSON: options, useBrowserAutofill: autofill !== undefined }
  return (await startAuthentication(asked)) as SignedByDevice
}
type SignedByDevice = BodyOf<typeof passkeys.signInWithPasskey>['passkey']

export const canAutofill = async (): Promise<boolean> => (await library()).browserSupportsWebAuthnAutofill()

/** Ends what waits for a device. */
export const stopAsking = async (): Promise<void> => (await library()).WebAuthnAbortService.cancelCeremony()

export const signInWithPasskey = (passkey: SignedByDevice) => call(passkeys.signInWithPasskey, { body: { passkey } })
