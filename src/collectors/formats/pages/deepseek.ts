import type { Kind, PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** Its hours come from a sentence below the table. */
const PEAK = { timeOfDay: 'peak' }
const row = (kind: Kind, label: string) => ({
  [`pricing / ${label}`]: { kind, per },
  [`pricing / ${label} / off-peak`]: { kind, per },
  [`pricing / ${label} / peak`]: { kind, per, tier: PEAK },
})

/** api-docs.deepseek.com/quick_start/pricing/: models are columns; off-peak prices are the standard ones. */
const declaration: PageDeclaration = {
  format: 'deepseek-page',
  parserVersion: 1,
  provider: 'deepseek',
  name: 'DeepSeek',
  says: { '1M INPUT TOKENS (CACHE MISS)': /1M INPUT TOKENS\s?\(CACHE MISS\)/, 'prices in dollars': /\$\s?\d/ },
  tables: [
    {
      name: 'Pricing',
      when: { columns: [/^model$/, /^deepseek-/] },
      models: 'columns',
      meanings: {
        model: 'model',
        ...row('cache_read', '1m input tokens (cache hit)'),
        ...row('input', '1m input tokens (cache miss)'),
        ...row('output', '1m output tokens'),
      },
      needed: ['input', 'output', 'cache_read'],
      priced: ['input', 'output', 'cache_read'],
      always: true,
    },
  ],
  model: { name: /^deepseek-[a-z0-9.-]+/, notes: /\(\d\)/g },
  checks: { listed: [/^deepseek-/], models: 1, highestInput: [0.05, 20] },
}

export const deepseekPage = pageCollector(declaration)
