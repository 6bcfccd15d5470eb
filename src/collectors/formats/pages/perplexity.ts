import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** docs.perplexity.ai/docs/getting-started/pricing.md: Sonar by the token; fees by the request are left out. */
const declaration: PageDeclaration = {
  format: 'perplexity-page',
  parserVersion: 1,
  provider: 'perplexity',
  name: 'Perplexity',
  says: { 'Token Pricing': /\bToken Pricing\b/i, Sonar: /\bSonar\b/ },
  tables: [
    {
      name: 'Token pricing',
      when: { columns: [/^model$/, /^input tokens \(\$\/1m\)$/] },
      meanings: {
        model: 'model',
        'input tokens ($/1m)': { kind: 'input', per },
        'output tokens ($/1m)': { kind: 'output', per },
        'citation tokens ($/1m)': { kind: 'citation', per },
        'reasoning tokens ($/1m)': { kind: 'reasoning', per },
        'search queries ($/1k)': { kind: 'search', per: { unit: 'search', decimalShift: 3 } },
      },
      needed: ['input', 'output'],
      priced: ['input', 'output'],
      tabs: /^token pricing$/,
      always: true,
    },
    {
      name: 'Request pricing',
      when: { columns: [/^model$/, /\blow\b/, /\bhigh\b/] },
      ignored: 'fees by the request, which depend on the size of the search',
    },
  ],
  model: { name: /^Sonar(?: [A-Z][a-z]+)*$/, resource: (name) => name.toLowerCase().replaceAll(' ', '-') },
  checks: { listed: [/^sonar$/, /^sonar-pro$/], models: 3, highestInput: [1, 30] },
}

export const perplexityPage = pageCollector(declaration)
