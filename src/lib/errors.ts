/**
 * The one catalogue of errors the product answers with. Wire shape: `{"error":{"code","message","field"?}}`
 * (specification, Errors). A code is stable and for programs; a message is for people and says what to do.
 */
const STATUS = {
  invalid_query: 400,
  as_of_too_recent: 400,
  history_lost: 400,
  invalid_body: 400,
  invalid_url: 400,
  invalid_link: 400,
  invalid_code: 400,
  invalid_passkey: 400,
  unauthorized: 401,
  invalid_api_key: 401,
  invalid_credentials: 401,
  code_required: 401,
  identity_refused: 401,
  forbidden: 403,
  origin_not_allowed: 403,
  address_not_allowed: 403,
  not_found: 404,
  alias_not_found: 404,
  provider_not_found: 404,
  price_not_found: 404,
  row_not_logged: 404,
  log_shorter: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  alias_changed: 409,
  review_changed: 409,
  webhook_limit: 409,
  webhook_paused: 409,
  webhook_changed: 409,
  api_key_limit: 409,
  member_limit: 409,
  passkey_limit: 409,
  watch_limit: 409,
  watch_exists: 409,
  workspace_in_use: 409,
  organization_limit: 409,
  organization_busy: 409,
  account_exists: 409,
  already_member: 409,
  last_admin: 409,
  last_operator: 409,
  second_factor_on: 409,
  identity_in_use: 409,
  last_way_in: 409,
  address_too_long: 414,
  expectation_failed: 417,
  rate_limited: 429,
  invitation_limit: 429,
  headers_too_long: 431,
  internal_error: 500,
  identity_unavailable: 503,
  unavailable: 503,
} as const

export type ErrorCode = keyof typeof STATUS
export const ERROR_CODES = Object.keys(STATUS) as ErrorCode[]

export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  readonly field?: string
  /** Seconds, for the `retry-after` header. */
  readonly retryAfter?: number

  constructor(
    code: ErrorCode,
    message: string,
    details: { field?: string; retryAfter?: number; cause?: unknown } = {},
  ) {
    // A stack costs more than the rest of a refusal, and no one reads it: the message says all.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, { cause: details.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.field = details.field
    this.retryAfter = details.retryAfter
  }

  get status(): number {
    return STATUS[this.code]
  }

  toBody(): ErrorBody {
    return { error: { code: this.code, message: this.message, ...(this.field && { field: this.field }) } }
  }
}

export type ErrorBody = { error: { code: string; message: string; field?: string } }

/** A fault that ends the program with one sentence for its operator: what is wrong and what to do. */
export class OperatorError extends Error {
  override name = 'OperatorError'
}

/** A fault that neither waiting nor starting again fixes: an operator has to change something first. */
export class PermanentError extends OperatorError {
  override name = 'PermanentError'
}
