import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { RequestLimit } from '../accounts/limits/rate-limit-rules.ts'
import { errorBody } from './schema.ts'

/** The server as the routes of the read API see it. */
export type Api = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, ZodTypeProvider>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What it counts as; `usual` where it is absent. */
    limit?: RequestLimit
  }
}

const MEANINGS: Record<number, string> = {
  400: 'A parameter is wrong: error.field names it. Do not retry unchanged.',
  401: 'No API key (unauthorized), or a wrong, deleted, expired or malformed one (invalid_api_key).',
  403: 'Sent by a browser for another origin: the API is for server-side calls.',
  404: 'The alias group, provider or price does not exist, or the log has no such row or is shorter.',
  406: 'No format of this endpoint is acceptable to you: leave `accept` out, or name one of those shown for 200.',
  409: 'The alias group changed between pages: start again without cursor.',
  429: 'Over a rate limit: wait `retry-after` seconds, then send the same request again.',
  500: 'A fault of the service: retry with exponential backoff.',
  503: 'Not available at the moment: wait `retry-after` seconds.',
}
const ALWAYS = [401, 403, 429, 500, 503]

/** Returns the answers of an endpoint that asks for no key. */
export function publicAnswers(success: z.ZodType, errors: number[] = []) {
  const { 401: _unauthorized, 403: _foreign, ...rest } = answers(success, [400, ...errors])
  return rest
}

/**
 * Returns the answers of an endpoint as the OpenAPI document shows them: its own and the errors it can answer with.
 * @param formats what it answers with beside JSON, by media type
 */
export function answers(success: z.ZodType, errors: number[], formats: Record<string, z.ZodType> = {}) {
  const described = (description: string, schema: z.ZodType) => ({
    description,
    content: { 'application/json': { schema } },
  })
  const failures = [...errors, ...ALWAYS].map((status) => [status, described(MEANINGS[status]!, errorBody)])
  const { description, content } = described('Success', success)
  const others = Object.entries(formats).map(([type, schema]) => [type, { schema }])
  return {
    200: { description, content: { ...content, ...Object.fromEntries(others) } },
    ...Object.fromEntries(failures),
  }
}
