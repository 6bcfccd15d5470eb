import type { Meaning, PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

const MEANINGS: { [heading: string]: Meaning } = {
  organization: 'ignored',
  'model name': 'ignored',
  'api model string': 'model',
  'context length': 'ignored',
  'input pricing (per 1m tokens)': { kind: 'input', per },
  'cached input pricing (per 1m tokens)': { kind: 'cache_read', per },
  'output pricing (per 1m tokens)': { kind: 'output', per },
  quantization: 'ignored',
  'function calling': 'ignored',
  'structured outputs': 'ignored',
}

/** docs.together.ai/docs/serverless/models.md: a section and a table for each kind of model. */
const declaration: PageDeclaration = {
  format: 'together-page',
  parserVersion: 1,
  provider: 'together',
  name: 'Together AI',
  says: {
    'Chat models': /^Chat models$/m,
    'API model string': /\bAPI model string\b/i,
    'Input pricing (per 1M tokens)': /\| Input pricing \(per 1M tokens\)/i,
  },
  tables: [
    {
      name: 'Chat models',
      when: { section: /^chat models$/ },
      meanings: MEANINGS,
      needed: ['input', 'cache_read', 'output'],
      priced: ['input', 'output'],
      always: true,
    },
    {
      name: 'Vision models',
      when: { section: /^vision models$/ },
      meanings: MEANINGS,
      needed: ['input', 'output'],
      priced: ['input', 'output'],
    },
    {
      name: 'Embedding models',
      when: { section: /^embedding models$/ },
      meanings: {
        'model name': 'ignored',
        'model string for api': 'model',
        'model size': 'ignored',
        'embedding dimension': 'ignored',
        'context window': 'ignored',
        'pricing (per 1m tokens)': { kind: 'input', per },
      },
      needed: ['input'],
      priced: ['input'],
    },
    ...['image', 'video', 'audio', 'rerank', 'moderation'].map((kind) => ({
      name: `${kind} models`,
      when: { section: new RegExp(`^${kind} models$`) },
      ignored: `prices of ${kind} models, which are not by the token of input and output`,
    })),
  ],
  model: { name: /^[A-Za-z0-9][A-Za-z0-9._-]*\/[A-Za-z0-9][A-Za-z0-9._-]*/ },
  checks: {
    listed: [/^openai\/gpt-oss-120b$/, /^meta-llama\//, /^deepseek-ai\//],
    models: 5,
    highestInput: [0.5, 50],
  },
}

export const togetherPage = pageCollector(declaration)
