import type { PageDeclaration, PriceMeaning } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** A link leads to the model; what is faster or stays in the US is a router of its own: `routers/glm-5p2-fast-us`. */
function resource(name: string, link = ''): string | undefined {
  const slug = /^https:\/\/app\.fireworks\.ai\/models\/fireworks\/([a-z0-9][a-z0-9-]*)$/.exec(link)?.[1]
  if (!slug) return undefined
  const [, fast, us] = /^.*?( Fast)?( \(?US\)?)?$/.exec(name) ?? []
  const router = `${slug}${fast && !/-fast$/.test(slug) ? '-fast' : ''}${us ? '-us' : ''}`
  return router === slug ? `accounts/fireworks/models/${slug}` : `accounts/fireworks/routers/${router}`
}

const prices = (tier: { service?: string }) => ({
  inOrder: (['input', 'cache_read', 'output'] as const).map((kind): PriceMeaning => ({ kind, tier, per })),
  between: '/',
})

/** docs.fireworks.ai/serverless/pricing.md: three prices in each cell, in the order that a sentence above it says. */
const declaration: PageDeclaration = {
  format: 'fireworks-page',
  parserVersion: 1,
  provider: 'fireworks',
  name: 'Fireworks AI',
  says: {
    'that its prices are per 1 million tokens in US dollars': /\bper 1 million tokens in US dollars\b/,
    'that a cell is input / cached input / output': /\bprices are input \/ cached input \/ output\b/,
  },
  tables: [
    {
      name: 'Text and vision models',
      when: { section: /^text and vision models$/ },
      meanings: {
        model: 'model',
        standard: prices({}),
        priority: prices({ service: 'priority' }),
        'reserved throughput': 'ignored',
      },
      needed: ['input', 'cache_read', 'output', 'input priority'],
      priced: ['input', 'output'],
      always: true,
    },
    {
      name: 'Other base models',
      when: { section: /^other base models\b/ },
      ignored: 'prices by the size of a model, which name none',
    },
    {
      name: 'Embeddings',
      when: { section: /^embeddings$/ },
      ignored: 'prices by the size of a model, which name none',
    },
  ],
  model: { name: /^[A-Z].*/, resource },
  checks: {
    listed: [/\/kimi-k\d/, /\/glm-\d/, /\/gpt-oss-120b$/],
    models: 8,
    highestInput: [0.5, 50],
  },
}

export const fireworksPage = pageCollector(declaration)
