import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionEnded } from '../accounts/authenticate.ts'
import { clientAddress } from '../accounts/limits/client-address-rules.ts'
import type { CountAddress } from '../accounts/limits/count-address.ts'
import { rateLimitHeaders } from '../accounts/limits/rate-limit-header-rules.ts'
import type { Quota } from '../accounts/limits/rate-limit-rules.ts'
import { rateLimited } from '../accounts/limits/rate-limited.ts'
import { type Acting, authorize } from '../accounts/members/authorize.ts'
import { drawForSession } from '../accounts/sessions/admit-session.ts'
import { findSignedIn } from '../accounts/sessions/find-signed-in.ts'
import { sessionToken } from '../accounts/sessions/session-rules.ts'
import type { SignedIn } from '../accounts/sessions/session-schema.ts'
import { AppError } from '../lib/errors.ts'
import { ACCOUNT_HEADER } from '../lib/http/account-header.ts'
import { isForeignBrowser, isOverHttps } from '../lib/http/http.ts'
import type { Sql } from '../lib/sql.ts'
import type { Contract } from './contract.ts'
import type { AppTools } from './tools.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends a request of the app; with the workspace where the route is about one. */
    actor?: SignedIn & Partial<Acting>
  }
}

/** Finds the workspace that a request is about. */
export type Locate = {
  find(sql: Sql, request: FastifyRequest): Promise<string | undefined>
  /** What is said when there is none, or the user does not belong to it. */
  missing: string
}

export const workspaceInQuery: Locate = {
  find: async (_sql, { query }) => {
    const { workspace } = query as { workspace?: unknown }
    if (typeof workspace === 'string') return workspace
    throw new AppError('invalid_query', 'workspace: name one workspace by its id', { field: 'workspace' })
  },
  missing: 'There is no such workspace, or you do not belong to it.',
}

export type Gate = (request: FastifyRequest, reply: FastifyReply, contract: Contract, locate: Locate) => Promise<void>

/**
 * Returns what decides, before a body is read, whether a request may reach its route: where it comes from, who sends
 * it, whether they may, and whether there are tokens for it.
 */
export function createGate({ sql, publicUrl, publicPages }: AppTools, countAddress: CountAddress): Gate {
  /** Counts a request against its address. Throws what it failed with, or that there were too many. */
  async function countFor(request: FastifyRequest, reply: FastifyReply, failure?: AppError): Promise<void> {
    const { waitSeconds, quotas } = await countAddress(clientAddress(request.ip))
    show(reply, quotas)
    if (waitSeconds > 0) throw rateLimited(waitSeconds)
    if (failure) throw failure
  }

  return async (request, reply, { access }, locate) => {
    reply.header('cache-control', 'no-store')
    if (isForeignBrowser(request.headers, publicUrl)) {
      throw new AppError('origin_not_allowed', 'This request comes from a page of another origin.')
    }
    if (access === 'public') return countFor(request, reply)
    if (request.headers.authorization !== undefined) return countFor(request, reply, keyRefused())
    const token = sessionToken(request.headers.cookie, isOverHttps(request, publicUrl))
    const signedIn = token === undefined ? undefined : await findSignedIn(sql, token)
    if (!signedIn) {
      const isOpen = access === 'visitor' || (access === 'reader' && publicPages)
      return countFor(request, reply, isOpen ? undefined : notSignedIn(token))
    }
    if (isOfAnother(request, signedIn, access)) return countFor(request, reply, anotherAccount())
    const found = await findScope(sql, request, signedIn, access, locate)
    const { waitSeconds, quotas } = await drawForSession(sql, signedIn, found)
    show(reply, quotas)
    if (waitSeconds > 0) throw rateLimited(waitSeconds)
    if (found.refusal) throw found.refusal
    request.actor = { ...signedIn, ...found }
  }
}

type AccessDecision = { workspaceId?: string; refusal?: AppError }

/** Operators have no workspace here; everyone else has the one that the request names. */
async function findScope(
  sql: Sql,
  request: FastifyRequest,
  signedIn: SignedIn,
  access: Exclude<Contract['access'], 'public'>,
  locate: Locate,
): Promise<AccessDecision> {
  if (access === 'session' || access === 'visitor' || access === 'reader') return {}
  if (access === 'operator') return signedIn.operator ? {} : { refusal: operatorsOnly() }
  return findWorkspace(sql, request, signedIn, access, locate)
}

/** The workspace of a request. A refusal waits until the user's own tokens are taken; it costs the workspace none. */
async function findWorkspace(
  sql: Sql,
  request: FastifyRequest,
  { accountId }: SignedIn,
  needed: 'member' | 'admin',
  { find, missing }: Locate,
): Promise<AccessDecision> {
  try {
    const workspaceId = (await find(sql, request)) ?? ''
    await authorize(sql, { accountId, workspaceId }, needed)
    return { workspaceId }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { refusal: error.code === 'not_found' ? new AppError('not_found', missing) : error }
  }
}

/** Whether a page was opened for another account. Who is signed in, and what everyone may read, is answered all the same. */
const isOfAnother = ({ headers }: FastifyRequest, { accountId }: SignedIn, access: Contract['access']): boolean =>
  access !== 'visitor' && access !== 'reader' && (headers[ACCOUNT_HEADER] ?? accountId) !== accountId

const show = (reply: FastifyReply, quotas: Quota[]): void => void reply.headers(rateLimitHeaders(quotas, 'user'))

const notSignedIn = (token: string | undefined): AppError =>
  token === undefined ? new AppError('unauthorized', 'Sign in first.') : sessionEnded()

const anotherAccount = (): AppError =>
  new AppError('unauthorized', 'Another account has signed in in this browser: sign in again.', {
    field: ACCOUNT_HEADER,
  })

const operatorsOnly = (): AppError =>
  new AppError('forbidden', 'Only operators of this installation may do this. One of them can make you one.')

const keyRefused = (): AppError =>
  new AppError('forbidden', 'An API key only reads prices, providers, alias groups and catalogs. This needs a session.')
