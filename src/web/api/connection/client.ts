import type { ZodType, z } from 'zod'
import type { Contract, Params, Query } from '../../../app/contract.ts'
import type { AnswerOf, ContractOf } from '../../../app/contracts.ts'
import type { Endpoint } from '../../../app/endpoint.ts'
import type { ErrorBody } from '../../../lib/errors.ts'
import { ACCOUNT_HEADER } from '../../../lib/http/account-header.ts'

/** An answer that is not a success, with the code of the error catalogue and the field at fault. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly field: string | undefined
  readonly retryAfter: number | undefined

  constructor(status: number, { code, message, field }: ErrorBody['error'], retryAfter?: number) {
    super(message)
    this.status = status
    this.code = code
    this.field = field
    this.retryAfter = retryAfter
  }
}

/** The request did not arrive, or no answer came back: nothing is known about what it did. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'

  constructor(options: { cause: unknown }) {
    super('The service cannot be reached. Nothing you typed is lost: try again.', options)
  }
}

let findAccount = (): string | undefined => undefined
/** Has requests name the account whose pages are shown: they are refused where another one has signed in since, in another tab. */
export const sendAs = (find: typeof findAccount): void => {
  findAccount = find
}

type CallInput<C extends Contract> = (keyof Params<C> extends never ? unknown : { params: Params<C> }) &
  (C extends { query: ZodType } ? { query: Query<C> } : unknown) &
  (C extends { body: ZodType } ? { body: z.input<C['body']> } : unknown)

/**
 * Sends a request of the signed-in user and returns the body of the answer. Only the type of the endpoint's contract is
 * used, so that no schema is loaded by the page.
 * @throws ApiError for a refusal, ConnectionError when there is no answer
 */
export async function call<E extends Endpoint>(
  { method, path }: E,
  given: CallInput<ContractOf<E>>,
): Promise<AnswerOf<E>> {
  const { params, query, body } = given as { params?: Texts; query?: Texts; body?: unknown }
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
  const search = query ? `?${new URLSearchParams(valuesOf(query))}` : ''
  const sent = body === undefined ? undefined : JSON.stringify(body)
  const account = findAccount()
  const response = await fetch(filled + search, {
    method,
    headers: {
      accept: 'application/json',
      ...(account && { [ACCOUNT_HEADER]: account }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(sent !== undefined && { body: sent, keepalive: sent.length < KEPT_ALIVE_CHARACTERS }),
  }).catch((cause: unknown) => {
    throw new ConnectionError({ cause })
  })
  if (!response.ok) throw await refusal(response)
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as AnswerOf<E>
}

type Texts = Record<string, string>

/** A request goes out also when its page is left; browsers allow that for 64 KB. */
const KEPT_ALIVE_CHARACTERS = 20_000

/** A parameter that has no value is left out. */
const valuesOf = (query: { [name: string]: string | undefined }): [string, string][] =>
  Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)

async function refusal(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get('retry-after')) || undefined
  const parsed = (await response.json().catch(() => undefined)) as ErrorBody | undefined
  const message = `The service answered ${response.status} ${response.statusText}. Try again in a moment.`
  return new ApiError(response.status, parsed?.error ?? { code: 'unknown', message }, retryAfter)
}
