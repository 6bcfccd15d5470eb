import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { AppError } from '../../lib/errors.ts'
import { oneLine } from '../../lib/text.ts'
import { ProviderSilent } from './provider-fetch.ts'

const SERVER_ERROR = 500
const MAX_REASON_CHARACTERS = 200

/** What happened, for operators. Never an answer of the provider: it may hold tokens. */
export type ProviderProblem = { code: string; reason: string }

/** The library wraps what its requests failed with. */
const unwrapped = (error: unknown): unknown =>
  error instanceof ClientError && error.cause instanceof ProviderSilent ? error.cause : error

/** Returns what went wrong with the provider, without anything secret. */
export function problemWith(thrown: unknown): ProviderProblem {
  const error = unwrapped(thrown)
  if (error instanceof ProviderSilent) return { code: 'no_answer', reason: error.message }
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return { code: short(error.error), reason: short(error.error_description ?? 'no reason is given') }
  if (!(error instanceof ClientError)) return { code: 'unknown', reason: (error as Error).name }
  const inner = (error.cause ?? {}) as { message?: string; cause?: { claim?: string; attribute?: string } }
  const about = inner.cause?.claim ?? inner.cause?.attribute
  return {
    code: error.code ?? 'unknown',
    reason: short([inner.message ?? error.message, about].filter(Boolean).join(': ')),
  }
}
const short = (text: string): string => oneLine(text, MAX_REASON_CHARACTERS)

/** Returns what someone reads on the page of the sign-in. */
export function refusalFor(thrown: unknown, name: string): AppError {
  const error = unwrapped(thrown)
  const silent = () =>
    new AppError('identity_unavailable', `${name} does not answer as it should. Try again in a minute.`)
  if (error instanceof AppError) return error
  if (error instanceof ProviderSilent) return silent()
  if (error instanceof AuthorizationResponseError)
    return new AppError('identity_refused', `${name} did not sign you in (${short(error.error)}). Try again there.`)
  if (error instanceof ResponseBodyError) return refusedCode(error, name)
  if (!(error instanceof ClientError)) return silent()
  const said = UNTRUSTED[error.code ?? '']
  if (said === undefined) return silent()
  return new AppError('identity_refused', `The answer of ${name} was not accepted: ${said} ${TELL}`)
}

const TELL = 'Try again. If it happens again, tell the operator of this service.'
const UNTRUSTED: Record<string, string> = {
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'it is for another service, from another provider, or of another sign-in.',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'it is from another provider, or about another person.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'it has expired, or a clock is wrong.',
  OAUTH_KEY_SELECTION_FAILED: 'none of its keys signed it.',
  OAUTH_INVALID_RESPONSE: 'it is not signed by its keys, or not complete.',
  OAUTH_UNSUPPORTED_OPERATION: 'it is not signed in a way that is safe.',
}

/** The provider does not redeem the code. */
function refusedCode({ error, status }: ResponseBodyError, name: string): AppError {
  if (status >= SERVER_ERROR)
    return new AppError('identity_unavailable', `${name} does not answer as it should. Try again in a minute.`)
  if (error === 'invalid_grant')
    return new AppError('identity_refused', `This sign-in at ${name} took too long or was used already. Try again.`)
  return new AppError('identity_unavailable', `${name} refuses this service (${short(error)}): tell its operator.`)
}
