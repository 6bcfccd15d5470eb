import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { VERSION } from '../lib/version.ts'
import type { Api } from './route.ts'

type SendPage = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

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
      endpoints: ['/v1/prices/history', '/v1/providers', '/v1/comparison/aliases', '/v1/catalog'],
      health: ['/healthz', '/readyz', '/readyz/reads'],
    })
  })
}

const wantsPage = ({ headers }: FastifyRequest): boolean =>
  new Negotiator({ headers }).mediaType(['application/json', 'text/html']) === 'text/html'
