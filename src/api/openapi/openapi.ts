import swagger from '@fastify/swagger'
import { createJsonSchemaTransform } from 'fastify-type-provider-zod'
import type { Config } from '../../lib/config.ts'
import { VERSION } from '../../lib/process/version.ts'
import type { Api } from '../route.ts'
import { contentName } from '../serving/etag-rules.ts'
import { type Answer, JSON_TYPE, type SendAnswer } from '../serving/send-answer.ts'
import { withExamples } from './openapi-examples.ts'
import { webhooksSection } from './openapi-webhooks.ts'
import { referenceFiles } from './reference-files.ts'

const DESCRIPTION = `Every reviewed price as it stood at an instant you choose, and signed webhooks when one changes.

Send \`Authorization: Bearer <API_KEY>\` with every request, but those of the log that need none. Clients ignore fields they do not recognize and handle an
unknown error code by its HTTP status. On 429 wait \`retry-after\` seconds and send the same request again.

Answers are compressed (\`accept-encoding\`) and have ETags. Every answer has a \`request-id\`. HEAD is GET without a body;
any other method is 405. A deprecated endpoint says so in \`deprecation\` and \`sunset\`.`

const API_KEY = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'ptk_…',
  description: 'An API key of a workspace. Its members create keys in the app.',
} as const
const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' }

const TAGS = [
  { name: 'Prices', description: 'The reviewed prices and their history.' },
  { name: 'Catalog', description: 'What exists: providers, resources, documents and alias groups.' },
  { name: 'Log', description: 'Proof that nothing that was published was rewritten.' },
  { name: 'Webhooks', description: 'What your endpoint receives when something changes.' },
]

const toJsonSchema = createJsonSchemaTransform({})

/**
 * /openapi.json (OpenAPI 3.1, generated from the schemas the endpoints use), and what the page at /docs is made of. The
 * page is the app's; where that is not built, /docs leads to the document.
 */
export async function reference(
  api: Api,
  { config, appFolder }: { config: Pick<Config, 'publicUrl'>; appFolder?: string },
  sendAnswer: SendAnswer,
): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Pricetape', version: VERSION, description: DESCRIPTION, license: LICENSE },
      servers: [{ url: config.publicUrl ?? '/' }],
      tags: TAGS,
      components: { securitySchemes: { apiKey: API_KEY } },
      security: [{ apiKey: [] }],
    },
    transform: toJsonSchema,
    transformObject: (document) => ({ ...withExamples(document), ...webhooksSection() }),
  })
  const documents = buildOnce(api)
  const schema = { hide: true }
  api.get('/openapi.json', { schema }, (request, reply) => sendAnswer(request, reply, documents.json))
  api.get('/docs/json', { schema }, (request, reply) => sendAnswer(request, reply, documents.json))
  api.get('/docs/yaml', { schema }, (request, reply) => sendAnswer(request, reply, documents.yaml))
  for (const [name, file] of referenceFiles())
    api.get(`/docs/static/${name}`, { schema }, async (request, reply) => sendAnswer(request, reply, await file()))
  if (appFolder === undefined)
    for (const path of ['/docs', '/docs/'])
      api.get(path, { schema }, async (_request, reply) => reply.redirect('/openapi.json'))
}

type BuiltDocuments = { readonly json: Answer; readonly yaml: Answer }

/**
 * Builds each form of the document once, and all requests share the same bytes: JSON when the server listens, because every
 * route is known then, and YAML, which takes three times as long and is seldom read, for its first request.
 */
function buildOnce(api: Api): BuiltDocuments {
  let json: Answer | undefined
  let yaml: Answer | undefined
  const documents: BuiltDocuments = {
    get json() {
      json ??= built(JSON_TYPE, JSON.stringify(api.swagger()))
      return json
    },
    get yaml() {
      yaml ??= built('application/x-yaml', api.swagger({ yaml: true }))
      return yaml
    },
  }
  api.addHook('onListen', async () => void documents.json)
  return documents
}

/** Returns a text that is made once as an answer. */
export function built(type: string, text: string): Answer {
  const bytes = Buffer.from(text)
  return {
    name: contentName(bytes),
    cacheControl: 'no-cache',
    vary: 'accept-encoding',
    make: async () => ({ bytes, headers: { 'content-type': type } }),
  }
}
