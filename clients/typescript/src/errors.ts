/** Codes that a request with an API key can meet. A newer server may send others: go by the class, or the status. */
export type ErrorCode =
  | 'invalid_query'
  | 'as_of_too_recent'
  | 'history_lost'
  | 'unauthorized'
  | 'invalid_api_key'
  | 'origin_not_allowed'
  | 'address_not_allowed'
  | 'not_found'
  | 'alias_not_found'
  | 'provider_not_found'
  | 'price_not_found'
  | 'row_not_logged'
  | 'log_shorter'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'request_timeout'
  | 'alias_changed'
  | 'address_too_long'
  | 'expectation_failed'
  | 'rate_limited'
  | 'headers_too_long'
  | 'internal_error'
  | 'unavailable'

type Details = { status: number; code: string; field?: string; retryAfter?: number; requestId?: string }

/** What the service answered instead of data. `message` is for people and may change. */
export class PricetapeError extends Error {
  override name = 'PricetapeError'
  readonly status: number
  /** `http_<status>` when the answer was not the service's own, but for example a proxy's. */
  readonly code: ErrorCode | (string & {})
  /** The parameter at fault. */
  readonly field?: string
  /** Seconds to wait before the same request may be sent again. */
  readonly retryAfter?: number
  /** Name it when you report a fault of the service. */
  readonly requestId?: string

  constructor(message: string, { status, code, field, retryAfter, requestId }: Details) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
    this.retryAfter = retryAfter
    this.requestId = requestId
  }
}

/** 400: a parameter is wrong. Correct the one that `field` names. */
export class InvalidRequestError extends PricetapeError {
  override name = 'InvalidRequestError'
}
/** 401 or 403: there is no key, or it is wrong, expired or deleted. */
export class AuthenticationError extends PricetapeError {
  override name = 'AuthenticationError'
}
/** 404: the alias group, provider or price does not exist. */
export class NotFoundError extends PricetapeError {
  override name = 'NotFoundError'
}
/** 409. */
export class ConflictError extends PricetapeError {
  override name = 'ConflictError'
}
/** 409 `alias_changed`: the group was saved between two pages. Discard what was read and start again. */
export class AliasChangedError extends ConflictError {
  override name = 'AliasChangedError'
}
/** 429, after all retries. */
export class RateLimitedError extends PricetapeError {
  override name = 'RateLimitedError'
}
/** 5xx, after all retries. */
export class ServiceError extends PricetapeError {
  override name = 'ServiceError'
}
/** No answer came, after all retries: `cause` says why. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

/** Returns the error of an answer: by its code where that is known, else by its status. */
export function errorOf(details: Details & { message: string }): PricetapeError {
  const { status, code, message } = details
  if (code === 'alias_changed') return new AliasChangedError(message, details)
  if (status === 401 || status === 403) return new AuthenticationError(message, details)
  if (status === 404) return new NotFoundError(message, details)
  if (status === 409) return new ConflictError(message, details)
  if (status === 429) return new RateLimitedError(message, details)
  if (status >= 500) return new ServiceError(message, details)
  if (status >= 400) return new InvalidRequestError(message, details)
  return new PricetapeError(message, details)
}
