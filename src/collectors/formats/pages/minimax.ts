import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'

/** platform.minimax.io/docs/guides/pricing-paygo.md: language models by the token, with tabs for service tiers. */
const declaration: PageDeclaration = {
  format: 'minimax-page',
  parserVersion: 2,
  provider: 'minimax',
  name: 'MiniMax',
  says: { 'Pay as You Go': /\bPay as You Go\b/i, 'Prompt caching Read': /\bPrompt caching Read\b/ },
  tables: [
    {
      name: 'LLM',
      // Text until the end of 2025; a table of rate limits stands there too.
      when: { section: /^(?:llm|text)$/, columns: [/^input$/] },
      meanings: {
        model: 'model',
        input: { kind: 'input' },
        output: { kind: 'output' },
        'prompt caching read': { kind: 'cache_read' },
        'prompt caching write': { kind: 'cache_write' },
      },
      needed: ['input', 'output', 'cache_read'],
      priced: ['input', 'output'],
      tiers: { standard: {}, priority: { service: 'priority' } },
      tabs: /^(?:standard|priority|legacy models)$/,
      always: true,
    },
    ...['audio', 'video', 'music', 'image', 'mcp', 'server tools'].map((section) => ({
      name: section,
      when: { section: new RegExp(`^${section}\\b`) },
      ignored: `prices of ${section}, which are not by the token of a model`,
    })),
  ],
  model: {
    name: /^(?:MiniMax-|M2-)[A-Za-z0-9.-]+/,
    notes: /\b(?:Permanent|Limited-time) \d{1,2}% off\b|\bHigh Concurrency, Commercial Use\b/gi,
  },
  checks: { listed: [/^MiniMax-M\d/], models: 2, highestInput: [0.2, 20] },
}

export const minimaxPage = pageCollector(declaration)
