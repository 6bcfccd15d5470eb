import type { SwaggerTransformObject } from '@fastify/swagger'
import { createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import { INVALID_KEY_MESSAGE } from '../../accounts/authenticate.ts'
import { headersOf } from './openapi-headers.ts'

/** A leaf of a tree of five, its row, and the hashes of its path. */
const LOGGED_ROW = {
  leafIndex: 4,
  leaf: '{"at":"2026-11-25T23:08:49.312Z","contentHash":"3229257659ddf91588e36a5b72c90627a3aa48ef8af3dcc909cfda31d00367b1","kind":"row","status":"auto_approved"}',
  row: '{"currency":"USD","dimension":"input_tokens","price":"0.000003001","pricingTier":"{}","provider":"acme","recordedAt":"2026-11-25T23:08:49.312Z","resource":"filler-b1","source":"list","unit":"usd_per_token"}',
}
const PATH = [
  'W0+WEOSCnWALRx90b7w/9idACBSld5u8eyHlL4kPirE=',
  'Zne5pxrnVCmNVv/28Zix7VUcuSwVqUC9KsKqrwkcEaU=',
  'WUic8qI5MHkteUn9Si67H3+05l/4/eIdgiAoKu5vVLU=',
  '2CTy2+/ZKqD12Qx4mcVgJ0c7TNGMwiHKD8bnHX30jTI=',
]

const CHECKPOINT =
  'prices.example.com/v1/log\n10\nJ7DCF0cN1uVlFHJwiQcomZnxSXvxcoHbbnXuEnZLxOE=\n\n— prices.example.com/v1/log numRHXW86RdOPqHMZSLCHnXGN1nyb5TdihGsc2zvS+8x59G3mvfA653ooIv+s5mEdE2W9HyrwW9XqYYFyckCV5fOzAc=\n'

/** Real answers, shortened. Tests check them against the schemas. */
const EXAMPLES: Record<string, unknown> = {
  '/v1/prices/history': {
    asOf: '2026-10-01T00:00:00.000Z',
    nextCursor: null,
    prices: [
      {
        provider: 'openai',
        source: 'genai-prices',
        resource: 'gpt-audio-mini',
        dimension: 'output_tokens',
        unit: 'usd_per_token',
        currency: 'USD',
        pricingTier: {},
        price: '0.0000024',
        recordedAt: '2026-07-22T20:56:01.000Z',
        contentHash: '00bce7b54822b7273a42bdb97b79bcaeed790164ce6375245b989fef33600109',
        approvalStatus: 'auto_approved',
      },
      {
        provider: 'anthropic',
        source: 'genai-prices',
        resource: 'claude-sonnet-4-5',
        dimension: 'cache_write_tokens',
        unit: 'usd_per_token',
        currency: 'USD',
        pricingTier: { context: '>200000' },
        price: '0.0000075',
        recordedAt: '2025-10-19T10:03:35.000Z',
        contentHash: '72dee6266a294734f078a3a758c90e99a86d541e4567edda7b6e2fbd4568ab3d',
        approvalStatus: 'auto_approved',
      },
    ],
  },
  '/v1/prices/evidence/{contentHash}': {
    contentHash: '72dee6266a294734f078a3a758c90e99a86d541e4567edda7b6e2fbd4568ab3d',
    provider: 'anthropic',
    source: 'anthropic-pricing',
    resource: 'claude-sonnet-4-5',
    dimension: 'input_tokens',
    unit: 'usd_per_token',
    currency: 'USD',
    pricingTier: {},
    price: '0.000003',
    recordedAt: '2026-09-24T08:12:44.031Z',
    status: 'auto_approved',
    servedFrom: '2026-09-24T08:12:44.031Z',
    rank: 'provider',
    read: {
      address: 'https://platform.claude.com/docs/en/about-claude/pricing.md',
      firstReadAt: '2026-09-24T08:12:43.010Z',
      snapshot: '8b1a9953c4611296a827abf8c47804d7e6b2d2b7a3c8f8a5b1f0c4e6d9a2b3c4',
      size: 48211,
      contentType: 'text/markdown',
      locator: 'Pricing / Model pricing / claude-sonnet-4-5 / base input tokens',
    },
    entered: false,
    place: {
      text: 'Pricing / Model pricing\nModel | Base Input Tokens\nClaude Sonnet 4.5 | $3 / MTok',
      table: {
        under: ['Pricing', 'Model pricing'],
        rows: [
          ['Model', 'Base Input Tokens'],
          ['Claude Sonnet 4.5', '$3 / MTok'],
        ],
        headerRows: 1,
        at: [1, 1],
      },
    },
    witnesses: [
      {
        source: 'models-dev',
        rank: 'community',
        resource: 'claude-sonnet-4-5',
        price: '0.000003',
        agrees: true,
        independent: true,
        since: '2026-09-24T08:12:44.031Z',
        lastReadAt: '2026-10-01T09:55:00.000Z',
        address: 'https://models.dev/api.json',
      },
    ],
  },
  '/v1/providers': {
    providers: [
      {
        provider: 'anthropic',
        name: 'Anthropic',
        status: 'active',
        activatedAt: '2025-10-19T10:03:35.000Z',
        freshness: 'fresh',
        lastCheckedAt: '2026-10-01T09:55:00.000Z',
        confirmedAt: '2026-10-01T09:40:00.000Z',
      },
    ],
  },
  '/v1/comparison/aliases': {
    groups: [
      {
        id: '0199a1f2-7c3e-7d10-9a55-3f0c6be2d871',
        resource: 'claude-sonnet-4-5',
        revision: 2,
        updatedAt: '2026-09-24T08:12:44.031Z',
        members: [{ provider: 'anthropic', resource: 'claude-sonnet-4-5' }],
        retired: false,
      },
    ],
    version: 7,
    unpriced: [],
    resources: [
      {
        provider: 'anthropic',
        resource: 'claude-sonnet-4-5',
        canonicalResource: 'anthropic/claude-sonnet-4-5',
        comparisonResource: 'claude-sonnet-4-5',
      },
    ],
    canReview: false,
  },
  '/v1/catalog': {
    updatedAt: '2026-09-23T10:11:04.622Z',
    resources: [
      {
        resource: 'claude-2',
        canonicalResource: 'anthropic/claude-2',
        dimensions: ['input_tokens', 'output_tokens'],
        confirmedAt: '2026-10-01T09:40:00.000Z',
      },
    ],
    docs: [{ doc: 'terms-of-use', url: 'https://www.anthropic.com/legal/consumer-terms' }],
  },
  '/v1/log/keys': {
    origin: 'prices.example.com/v1/log',
    keys: [
      {
        verifier: 'prices.example.com/v1/log+9ee9911d+AYW/5WEuJrvdeoGJri+qwLcq285IG1hifibEUAtMGl3o',
        origin: 'prices.example.com/v1/log',
        since: '2026-11-25T23:08:49.654Z',
        until: null,
        lastSize: null,
      },
    ],
    origins: [
      {
        origin: 'prices.example.com/v1/log',
        path: '',
        reason: 'installed',
        since: '2026-11-25T23:08:49.589Z',
        firstSize: 0,
        lastSize: null,
        lostAfter: null,
        lostUntil: null,
      },
    ],
  },
  '/v1/log/consistency': {
    from: 6,
    to: 10,
    hashes: [
      'Ti+Q1vGVRLLpYu2RcNWWXCpU1/L2ZA0IOWHXkTB8lJ4=',
      'Zne5pxrnVCmNVv/28Zix7VUcuSwVqUC9KsKqrwkcEaU=',
      'WUic8qI5MHkteUn9Si67H3+05l/4/eIdgiAoKu5vVLU=',
      '2CTy2+/ZKqD12Qx4mcVgJ0c7TNGMwiHKD8bnHX30jTI=',
    ],
    checkpoint: CHECKPOINT,
  },
  '/v1/log/proof': { ...LOGGED_ROW, hashes: PATH, checkpoint: CHECKPOINT },
  '/v1/log/proofs': { rows: [LOGGED_ROW], hashes: PATH, checkpoint: CHECKPOINT },
}

/** What is sent, where something is. */
const BODIES: Record<string, unknown> = {
  '/v1/log/proofs': { contentHashes: ['3229257659ddf91588e36a5b72c90627a3aa48ef8af3dcc909cfda31d00367b1'] },
}

const ERROR_EXAMPLES: Record<string, { code: string; message: string; field?: string }> = {
  400: { code: 'invalid_query', message: 'limit is a whole number from 1 to 10000.', field: 'limit' },
  401: { code: 'invalid_api_key', message: INVALID_KEY_MESSAGE },
  406: { code: 'not_acceptable', message: 'Send an accept header with application/json, or none.' },
  409: { code: 'alias_changed', message: 'The alias group changed since the first page.' },
  429: { code: 'rate_limited', message: 'Too many requests: wait 1 s, then send this request again.' },
}

type Media = { description?: string; content?: { 'application/json'?: { example?: unknown } }; headers?: unknown }
type Operation = {
  responses: Record<string, Media>
  requestBody?: { content: { 'application/json': { example?: unknown } } }
}
type Whole = {
  components: { schemas: Record<string, unknown> }
  paths: Record<string, Record<string, Operation>>
}
const NOT_MODIFIED = { description: 'You have this answer: its ETag is the one in `if-none-match`.' }
const components = createJsonSchemaTransformObject({})

/**
 * Puts the shared schemas in (once: the library lists each as an input too), and to every answer its headers and an
 * example.
 */
export const withExamples: SwaggerTransformObject = (document) => {
  const whole = components(document) as unknown as Whole
  for (const name of Object.keys(whole.components.schemas)) {
    if (name.endsWith('Input')) delete whole.components.schemas[name]
  }
  for (const [path, operations] of Object.entries(whole.paths))
    for (const [method, operation] of Object.entries(operations)) describeAnswers(path, method, operation)
  return whole as unknown as ReturnType<SwaggerTransformObject>
}

function describeAnswers(path: string, method: string, operation: Operation): void {
  if (method === 'get') operation.responses = { ...operation.responses, 304: { ...NOT_MODIFIED } }
  if (operation.requestBody) operation.requestBody.content['application/json'].example = BODIES[path]
  for (const [status, response] of Object.entries(operation.responses)) {
    const media = response.content?.['application/json']
    const error = ERROR_EXAMPLES[status]
    const example = status === '200' ? EXAMPLES[path] : error && { error }
    if (media && example !== undefined) media.example = example
    response.headers = headersOf(path, status)
  }
}
