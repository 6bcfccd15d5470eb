import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** dev.writer.com/home/pricing.md: one table of models, and others of what is not a model or is sold no longer. */
const declaration: PageDeclaration = {
  format: 'writer-page',
  parserVersion: 1,
  provider: 'writer',
  name: 'Writer',
  says: { Palmyra: /\bPalmyra\b/, 'that its prices are per 1M tokens': /\bprices are displayed per 1M tokens\b/ },
  tables: [
    {
      name: 'Base model',
      when: { section: /^base models?$/ },
      meanings: {
        'model name': 'ignored',
        'model id': 'model',
        'input / 1m': { kind: 'input', per },
        'output / 1m': { kind: 'output', per },
      },
      needed: ['input', 'output'],
      priced: ['input', 'output'],
      always: true,
    },
    {
      name: 'WRITER Agent',
      when: { section: /^writer agent$/ },
      ignored: 'prices of an app, which name no model',
    },
    {
      name: 'Palmyra Vision',
      when: { section: /^palmyra vision$/ },
      ignored: 'prices by the picture and by the second, of a model without an id',
    },
    {
      name: 'Tools',
      when: { section: /^(?:knowledge graph|tools api|deprecated tools)$/ },
      ignored: 'prices of tools, which are not models',
    },
    {
      name: 'Deprecated models',
      when: { section: /^deprecated models$/ },
      ignored: 'prices of models that are no longer sold',
    },
  ],
  model: { name: /^palmyra-[a-z0-9][a-z0-9.-]*/ },
  checks: { listed: [/^palmyra-x\d/], models: 1, highestInput: [0.2, 30] },
}

export const writerPage = pageCollector(declaration)
