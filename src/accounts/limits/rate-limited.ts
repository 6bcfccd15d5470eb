import { AppError } from '../../lib/errors.ts'
import { retryAfter } from './rate-limit-rules.ts'

/** The refusal of a request for which a bucket has no token. */
export function rateLimited(waitSeconds: number): AppError {
  const seconds = retryAfter(waitSeconds)
  const message = `Too many requests: wait ${seconds} s, then send this request again.`
  return new AppError('rate_limited', message, { retryAfter: seconds })
}
