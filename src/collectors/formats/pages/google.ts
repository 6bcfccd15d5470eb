import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

const TIERS = {
  standard: {},
  batch: { service: 'batch' },
  flex: { service: 'flex' },
  priority: { service: 'priority' },
}
const PAID = 'paid tier, per 1m tokens in usd'

/** ai.google.dev/gemini-api/docs/pricing: a heading for each model with its ids, and a table for each service tier. */
const declaration: PageDeclaration = {
  format: 'google-page',
  parserVersion: 2,
  provider: 'google',
  name: 'Google',
  says: { 'Input price': /\bInput price\b/, 'Paid Tier, per 1M tokens in USD': /\bPaid Tier, per 1M tokens in USD\b/ },
  tables: [
    {
      name: 'Tools and agents',
      when: { section: /^pricing for (?:tools|agents)$/ },
      ignored: 'prices of tools and agents, which are not by the token of a model',
    },
    {
      name: 'Paid tier by the token',
      when: { columns: [/^paid tier, per 1m tokens in usd$/] },
      models: 'heading',
      prices: PAID,
      meanings: [
        [/^(?:text )?input price(?: \([a-z, /]+\))?$/, { kind: 'input' }],
        [/^image input price$/, { kind: 'input', content: 'image' }],
        [/^audio input price$/, { kind: 'input', content: 'audio' }],
        [/^video input price$/, { kind: 'input', content: 'video' }],
        [/^output price(?: \([a-z, /]+\))?$/, { kind: 'output' }],
        [/^context caching price$/, { kind: 'cache_read' }],
        [/^context caching \(storage\)$/, { kind: 'cache_read', per: { unit: 'token_hour', decimalShift: 6 } }],
        [/^grounding with google (?:search|maps|web and image search)$/, 'ignored'],
        [/^used to improve our products$/, 'ignored'],
        [/^tuning price$/, 'ignored'],
      ],
      needed: ['input'],
      tiers: TIERS,
      per,
      always: true,
    },
    ...['second', 'request', 'image', 'song'].map((unit) => ({
      name: `Paid tier by the ${unit}`,
      when: { columns: [new RegExp(`^paid tier, per ${unit}s? in usd$`)] },
      ignored: `prices by the ${unit}, whose sizes have no names of their own`,
    })),
  ],
  model: { name: /^(?:gemini|gemma|learnlm|aqa|deep-research|nano-banana)[a-z0-9.-]*/ },
  checks: {
    listed: [/^gemini-[\d.]+-pro(?:-preview)?$/, /^gemini-[\d.]+-flash$/, /^gemini-[\d.]+-flash-lite$/],
    models: 8,
    highestInput: [1, 100],
  },
} // biome-ignore format: a declaration reads best in lines

export const googlePage = pageCollector(declaration)
