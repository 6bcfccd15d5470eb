import { z } from 'zod'
import { createAddressBuckets } from '../accounts/limits/address-buckets.ts'
import { clientAddress } from '../accounts/limits/client-address-rules.ts'
import { retryAfter } from '../accounts/limits/rate-limit-rules.ts'
import { sessionToken } from '../accounts/sessions/session-rules.ts'
import { reportError } from '../api/errors.ts'
import type { Api } from '../api/route.ts'
import { contentName } from '../api/serving/etag-rules.ts'
import type { SendAnswer } from '../api/serving/send-answer.ts'
import { nameOfProvider } from '../catalog/providers/list-providers.ts'
import { slug } from '../catalog/schema.ts'
import { AppError } from '../lib/errors.ts'
import { isOverHttps } from '../lib/http/http.ts'
import { createIsolation } from '../lib/isolation/isolation.ts'
import type { Sql } from '../lib/sql.ts'
import { createComparer } from '../terms/read/compare-in-turn.ts'
import { findChange } from '../terms/read/find-change.ts'
import type { SendPage } from './app-pages.ts'
import { documentPage } from './document-view-rules.ts'
import { errorPage, HTML_TYPE, PAGE_POLICY } from './layout-rules.ts'

/** Comparisons made beside each other: visitors must not take every core. */
const COMPARISONS = 2

const address = z.object({ provider: slug, document: slug })
const query = z.object({ from: z.uuid().optional(), to: z.uuid().optional(), view: z.literal('text').optional() })

export const DOCUMENT_PATH = '/documents/:provider/:document'

type Tools = {
  sql: Sql
  /** Of the addresses that stay. */
  origin: string
  publicUrl?: string
  sendAnswer: SendAnswer
  /** Sends the app, where it is built. */
  sendPage?: SendPage
  createReaders?: typeof createIsolation
}

/**
 * GET /documents/:provider/:document: two versions of a document beside each other, for every visitor. Who is
 * signed in gets the app's page of the same versions.
 */
export function documentPages({
  sql,
  origin,
  publicUrl,
  sendAnswer,
  sendPage,
  createReaders = createIsolation,
}: Tools) {
  const isolation = createReaders({ concurrency: COMPARISONS })
  const compare = createComparer({ sql, isolation })
  const addresses = createAddressBuckets()
  return async (api: Api): Promise<void> => {
    api.addHook('onClose', () => isolation[Symbol.asyncDispose]())
    api.addHook('onRequest', async (request, reply) => {
      reply.header('content-security-policy', PAGE_POLICY)
      const waitSeconds = addresses.take(clientAddress(request.ip))
      if (waitSeconds > 0) throw rateLimited(retryAfter(waitSeconds))
    })
    api.setErrorHandler((error, request, reply) => {
      const { status, message } = reportError(error, request, reply)
      reply.type(HTML_TYPE).send(errorPage(TITLES[status] ?? 'This page cannot be shown', message))
    })
    api.get(DOCUMENT_PATH, { schema: { hide: true } }, async (request, reply) => {
      const isSignedIn = sessionToken(request.headers.cookie, isOverHttps(request, publicUrl)) !== undefined
      if (isSignedIn && sendPage) return sendPage(request, reply)
      const name = address.safeParse(request.params)
      const wanted = query.safeParse(request.query)
      if (!name.success || !wanted.success) throw new AppError('not_found', 'There is no such document or version.')
      const { view, ...versions } = wanted.data
      const found = await findChange(sql, name.data, versions)
      const { before, after } = found
      const isText = view === 'text' || !before
      const compared = await compare((isText ? after : before).versionId, after.versionId)
      const providerName = await nameOfProvider(sql, name.data.provider)
      const bytes = documentPage({ ...found, compared, providerName, isText, origin })
      return sendAnswer(request, reply, {
        name: contentName(bytes),
        cacheControl: 'no-cache',
        vary: 'accept-encoding, cookie',
        make: async () => ({ bytes, headers: { 'content-type': HTML_TYPE } }),
      })
    })
  }
}

const TITLES: Record<number, string> = {
  404: 'Not found',
  429: 'Too many requests',
  503: 'Not available at the moment',
}

const rateLimited = (seconds: number) =>
  new AppError('rate_limited', `Wait ${seconds} s, then load this page again.`, { retryAfter: seconds })
