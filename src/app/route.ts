import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from 'fastify'
import type { z } from 'zod'
import { handshakeCookie, handshakeToken } from '../accounts/identities/handshake-rules.ts'
import type { Acting } from '../accounts/members/authorize.ts'
import { browserCookie, browserToken } from '../accounts/passkeys/browser-cookie-rules.ts'
import { knownBrowserCookie, knownBrowserToken } from '../accounts/sessions/known-browser-rules.ts'
import { rememberBrowser } from '../accounts/sessions/remember-browser.ts'
import { sessionCookie } from '../accounts/sessions/session-rules.ts'
import type { SignedIn } from '../accounts/sessions/session-schema.ts'
import type { Device } from '../accounts/sessions/start-session.ts'
import type { SendAnswer } from '../api/serving/send-answer.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import { isOverHttps } from '../lib/http/http.ts'
import { readBody } from '../lib/http/read-body.ts'
import { isStorable, NOT_STORABLE } from '../lib/text.ts'
import { problemOf } from '../lib/zod-problem.ts'
import { type Gate, type Locate, workspaceInQuery } from './access.ts'
import { auditing } from './auditing.ts'
import type { Answer, Body, Contract, Params, Query } from './contract.ts'
import type { AppTools } from './tools.ts'

export type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger>

/** Who acts, as far as the contract lets only such people through. */
type Actor<C extends Contract> = C['access'] extends 'public'
  ? undefined
  : C['access'] extends 'visitor' | 'reader'
    ? SignedIn | undefined
    : C['access'] extends 'session' | 'operator'
      ? SignedIn
      : SignedIn & Acting

/** A request that was let through and has the form of its contract. */
type Input<C extends Contract> = {
  tools: AppTools
  actor: Actor<C>
  params: Params<C>
  query: Query<C>
  body: Body<C>
  device: Device
  /** Puts a session into the browser, or takes it out. */
  setSession(token: string | undefined): void
  /** Remembers the browser of an account's owner: strangers who fail to sign in do not hold it up. */
  remember(accountId: string): Promise<void>
  /** What tells the browser that signs in with a passkey from others. */
  browser: KeptToken
  /** The same for the browser that signs in at the identity provider. */
  handshake: KeptToken
}

/** A token in a cookie of its own. */
type KeptToken = { readonly token: string | undefined; keep(token: string): void }

/** A file that a browser saves under a name. */
type Download = { name: string; type: string; bytes: Readable }

type Handle<C extends Contract> = C['download'] extends true
  ? (input: Input<C>) => Promise<Download>
  : C['answer'] extends z.ZodType
    ? (input: Input<C>) => Promise<Answer<C>>
    : (input: Input<C>) => Promise<void>
/** A contract with what fulfils it. */
export type AppRoute = { contract: Contract; handle: (input: Input<Contract>) => Promise<unknown>; locate: Locate }

/** @param locate finds the workspace that a request is about; in `?workspace=` unless something else is said */
export const route = <C extends Contract>(
  contract: C,
  handle: Handle<C>,
  locate: Locate = workspaceInQuery,
): AppRoute => ({
  contract,
  handle: handle as unknown as AppRoute['handle'],
  locate,
})

/** Registers a route behind the gate of its contract. */
export function addRoute(
  app: App,
  { tools, gate, sendAnswer }: { tools: AppTools; gate: Gate; sendAnswer: SendAnswer },
  { contract, handle, locate }: AppRoute,
): void {
  const { method, path, query, body, status, download } = contract
  const run = auditing(contract, handle)
  app.route({
    method,
    url: path,
    schema: { hide: true },
    bodyLimit: contract.bodyLimit,
    // A file would be made for it, and thrown away.
    ...(download && { exposeHeadRoute: false }),
    onRequest: (request, reply) => gate(request, reply, contract, locate),
    handler: async (request, reply) => {
      const secure = isOverHttps(request, tools.publicUrl)
      const device = deviceOf(request, secure)
      const answer = await run({
        tools,
        actor: request.actor as Actor<Contract>,
        params: readParams(request.params) as Params<Contract>,
        query: (query ? readQuery(query, request.query) : {}) as Query<Contract>,
        body: (body && readBody(body, request.body, 'this request', contract.anyText)) as Body<Contract>,
        device,
        setSession: (token) => void reply.header('set-cookie', sessionCookie(token, secure)),
        remember: async (accountId) => {
          const token = await rememberBrowser(tools.sql, accountId, device.browser)
          reply.header('set-cookie', knownBrowserCookie(token, secure))
        },
        browser: {
          get token() {
            return browserToken(request.headers.cookie, secure)
          },
          keep: (token) => void reply.header('set-cookie', browserCookie(token, secure)),
        },
        handshake: {
          get token() {
            return handshakeToken(request.headers.cookie, secure)
          },
          keep: (token) => void reply.header('set-cookie', handshakeCookie(token, secure)),
        },
      })
      if (download) return sendFile(reply, answer as Download)
      if (answer === undefined) return sendNothing(reply, status)
      if (method !== 'GET') return reply.code(status).send(answer)
      return sendAnswer(request, reply, privateAnswer(answer))
    },
  })
}

/** Compressed, and kept by no one. Equal answers are compressed once. */
function privateAnswer(answer: unknown): Parameters<SendAnswer>[2] {
  const bytes = Buffer.from(JSON.stringify(answer))
  return {
    name: sha256(bytes),
    cacheControl: 'no-store',
    vary: 'cookie, accept-encoding',
    make: async () => ({ bytes, headers: { 'content-type': 'application/json; charset=utf-8' } }),
  }
}

const sendFile = (reply: FastifyReply, { name, type, bytes }: Download) =>
  reply.headers({ 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }).send(bytes)

/** 202 says that something will follow: it has a body, so that every client reads it alike. */
const sendNothing = (reply: FastifyReply, status: number) => reply.code(status).send(status === 204 ? undefined : {})

const deviceOf = ({ ip, headers }: FastifyRequest, secure: boolean): Device => ({
  address: ip,
  userAgent: headers['user-agent'] ?? '',
  browser: knownBrowserToken(headers.cookie, secure),
})

/** @throws AppError not_found for a text that names nothing, because it cannot be stored */
function readParams(params: unknown): unknown {
  if (Object.values(params as Record<string, string>).every(isStorable)) return params
  throw new AppError('not_found', 'There is nothing at this address.')
}

/** @throws AppError invalid_query with `field` */
function readQuery(schema: z.ZodObject, query: unknown): unknown {
  for (const [field, value] of Object.entries(query as Record<string, string | string[]>))
    if (![value].flat().every(isStorable)) throw new AppError('invalid_query', `${field}: ${NOT_STORABLE}`, { field })
  const parsed = schema.safeParse(query)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const field = issue.code === 'unrecognized_keys' ? issue.keys[0]! : String(issue.path[0] ?? '')
  const problem = issue.code === 'unrecognized_keys' ? 'is not a parameter here: leave it out' : problemOf(issue)
  throw new AppError('invalid_query', `${field}: ${problem}`, { field })
}
