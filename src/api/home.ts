import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { VERSION } from '../lib/process/version.ts'
import type { Api } from './route.ts'

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** GET /: the app for browsers; for programs, and where the app was not built, what can be read here. */
export function homeRoute(api: Api, sendPage?: SendPage): void {
  api.get('/', { schema: { hide: true } }, async (request, reply) => {
    if (sendPage && wantsPage(request)) return sendPage(request, reply)
    return reply.header('vary', 'accept').send({
      service: 'pricetape',
      version: VERSION,
      documentation: '/docs',
      openapi: '/openapi.json',
      llms: '/llms.txt',
      endpoints: [
        '/v1/prices/history',
        '/v1/providers',
        '/v1/prices/evidence/{contentHash}',
        '/v1/comparison/aliases',
        '/v1/catalog',
        '/v1/log/checkpoint',
        '/v1/log/keys',
        '/v1/log/consistency',
        '/v1/log/proof',
        '/v1/log/proofs',
      ],
      health: ['/healthz', '/readyz', '/readyz/reads'],
    })
  })
}

/** Sends the app where a browser asks for an address that does not exist: the app says so, and keeps its navigation. */
export const sendUnknownPage = async (request: FastifyRequest, reply: FastifyReply, sendPage?: SendPage) =>
  sendPage && request.method === 'GET' && !request.url.startsWith('/v1/') && wantsPage(request)
    ? sendPage(request, reply.code(404))
    : undefined

const wantsPage = ({ headers }: FastifyRequest): boolean =>
  new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
