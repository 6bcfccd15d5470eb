import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'

/** platform.kimi.ai/docs/pricing/chat.md: tables that the page gives to a component. */
const declaration: PageDeclaration = {
  format: 'moonshot-page',
  parserVersion: 1,
  provider: 'moonshotai',
  name: 'Moonshot AI',
  says: { 'Kimi or Moonshot models': /\b(?:kimi|moonshot)-[a-z0-9]/, 'prices in dollars': /\$\d/ },
  tables: [
    {
      name: 'Model pricing',
      when: { columns: [/^model$/, /^output price$/] },
      meanings: {
        model: 'model',
        unit: 'unit',
        'input price': { kind: 'input' },
        'input price (cache miss)': { kind: 'input' },
        'input price (cache hit)': { kind: 'cache_read' },
        'cached input price': { kind: 'cache_read' },
        'cache write price (ttl 5min)': { kind: 'cache_write' },
        'cache write price (ttl 1h)': { kind: 'cache_write', tier: { ttl: '1h' } },
        'output price': { kind: 'output' },
        'context window': 'ignored',
      },
      needed: ['input', 'output'],
      priced: ['input', 'output'],
      always: true,
    },
  ],
  model: { name: /^(?:kimi|moonshot)-[a-z0-9.-]+/ },
  checks: { listed: [/^kimi-k\d/], models: 2, highestInput: [0.5, 50] },
}

export const moonshotPage = pageCollector(declaration)
