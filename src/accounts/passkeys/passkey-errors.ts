import { AppError } from '../../lib/errors.ts'
import { MAX_PASSKEYS } from './passkey-rules.ts'

export const passkeyLimit = (): AppError =>
  new AppError('passkey_limit', `An account has at most ${MAX_PASSKEYS} passkeys: remove one first.`)

/** One sentence for every reason, so that it shows nothing about other accounts. */
export const passkeyRefused = (): AppError =>
  new AppError('invalid_passkey', 'This passkey could not be added: it took too long, or it is in use. Try again.')

/** The same for a passkey that no one has, that was removed, and whose answer is wrong. */
export const signInRefused = (): AppError =>
  new AppError('invalid_credentials', 'This passkey was not accepted. Try again, or sign in with your password.')

export const noPasskey = (): AppError =>
  new AppError('not_found', 'You have no such passkey: it may be removed already.')
