import type { Meaning, PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** Dollars, and the same in Cloudflare's own measure. */
const MEANINGS: { [heading: string]: Meaning } = {
  model: 'model',
  'price in tokens': {
    byWords: [
      [/^per m input tokens$/, { kind: 'input', per }],
      [/^per m cached input tokens$/, { kind: 'cache_read', per }],
      [/^per m output tokens$/, { kind: 'output', per }],
      [/^per m images$/, { kind: 'input', per: { unit: 'image', decimalShift: 6 } }],
    ],
  },
  'price in neurons': 'ignored',
}

/** developers.cloudflare.com/workers-ai/platform/pricing/: a section and a table for each kind of model. */
const declaration: PageDeclaration = {
  format: 'cloudflare-page',
  parserVersion: 1,
  provider: 'cloudflare',
  name: 'Cloudflare Workers AI',
  says: { 'Workers AI': /\bWorkers AI\b/, 'LLM model pricing': /\bLLM model pricing\b/ },
  tables: [
    {
      name: 'LLM model pricing',
      when: { section: /^llm model pricing$/ },
      meanings: MEANINGS,
      needed: ['input', 'output'],
      priced: ['input', 'output'],
      always: true,
    },
    {
      name: 'Embeddings model pricing',
      when: { section: /^embeddings model pricing$/ },
      meanings: MEANINGS,
      needed: ['input'],
      priced: ['input'],
    },
    ...['image', 'audio'].map((kind) => ({
      name: `${kind} model pricing`,
      when: { section: new RegExp(`^${kind} model pricing$`) },
      ignored: `prices of ${kind} models by the tile, step, minute and character`,
    })),
    {
      name: 'Other model pricing',
      when: { section: /^other model pricing$/ },
      meanings: MEANINGS,
      needed: ['input'],
      lenient: true,
    },
  ],
  model: { name: /^@(?:cf|hf)\/[A-Za-z0-9._/-]+/ },
  checks: {
    listed: [/^@cf\/meta\/llama-3\.3-70b-/, /^@cf\/meta\/llama-3\.1-8b-/],
    models: 10,
    highestInput: [0.2, 20],
    // A guard answers in a word.
    cheapOutput: /llama-guard/,
  },
}

export const cloudflarePage = pageCollector(declaration)
