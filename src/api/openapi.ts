import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Config } from '../lib/config.ts'
import { withExamples } from './openapi-examples.ts'
import { webhooksSection } from './openapi-webhooks.ts'
import type { Api } from './route.ts'

const API_VERSION = '1.0.0'
const DESCRIPTION = `Every reviewed price as it stood at an instant you choose, and signed webhooks when one changes.

Send \`Authorization: Bearer <API_KEY>\` with every request. Clients ignore fields they do not recognize and handle an
unknown error code by its HTTP status. On 429 wait \`retry-after\` seconds and send the same request again.`

/** /openapi.json (OpenAPI 3.1, generated from the schemas the endpoints use) and its browsable form at /docs. */
export async function reference(api: Api, config: Pick<Config, 'publicUrl'>): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Pricetape', version: API_VERSION, description: DESCRIPTION },
      ...(config.publicUrl && { servers: [{ url: config.publicUrl.replace(/\/$/, '') }] }),
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'ptk_…' } } },
      security: [{ apiKey: [] }],
      ...webhooksSection(),
    },
    transform: createJsonSchemaTransform({}),
    transformObject: withExamples,
  })
  api.get('/openapi.json', { schema: { hide: true } }, async () => api.swagger())
  await api.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { deepLinking: true },
    // The bar on top is for loading other documents, under another project's name.
    theme: {
      title: 'Pricetape',
      css: [{ filename: 'pricetape.css', content: '.swagger-ui .topbar { display: none }' }],
    },
  })
}
