import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** docs.z.ai/guides/overview/pricing.md: a section for each kind of model. */
const declaration: PageDeclaration = {
  format: 'zai-page',
  parserVersion: 2,
  provider: 'zai',
  name: 'Z.ai',
  says: { 'that its prices are in USD': /\bprices are in USD\b/, 'Prices per 1M tokens': /\bPrices per 1M tokens\b/ },
  tables: [
    {
      name: 'Models by the token',
      when: { columns: [/^model$/, /^input$/] },
      meanings: {
        model: 'model',
        input: { kind: 'input' },
        'cached input': { kind: 'cache_read' },
        // Free for a limited time: it has never had a price, nor a unit.
        'cached input storage': 'ignored',
        'cached storage': 'ignored',
        output: { kind: 'output' },
      },
      needed: ['input', 'cache_read', 'output'],
      priced: ['input', 'output'],
      per,
      says: /^prices per 1m tokens\b/i,
      always: true,
    },
    ...['image generation models', 'video generation models', 'audio models', 'agents', 'built-in tools'].map(
      (section) => ({
        name: section,
        when: { section: new RegExp(`^${section}$`) },
        ignored: `prices of ${section}, which are not read from this page`,
      }),
    ),
  ],
  model: { name: /^GLM-[A-Za-z0-9.-]+/ },
  checks: { listed: [/^GLM-[4-9]/], models: 5, highestInput: [0.5, 30] },
}

export const zaiPage = pageCollector(declaration)
