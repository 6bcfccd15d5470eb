import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

const LONG = { context: '>=200000' }

/** docs.x.ai/developers/pricing.md with a row for long context, and the same page as HTML with columns for it. */
const declaration: PageDeclaration = {
  format: 'xai-page',
  parserVersion: 2,
  provider: 'x-ai',
  name: 'xAI',
  says: { 'that its prices are in USD': /\bprices are in USD\b/, 'that long context begins at 200k tokens': /≥ ?200k/ },
  tables: [
    {
      name: 'Text API',
      when: { section: /^text api(?: pricing)?$/ },
      meanings: {
        model: 'model', context: 'ignored',
        'input / 1m tokens': { kind: 'input', per }, 'cached input / 1m tokens': { kind: 'cache_read', per },
        'output / 1m tokens': { kind: 'output', per },
        'short context / input': { kind: 'input' }, 'short context / cached': { kind: 'cache_read' },
        'short context / output': { kind: 'output' },
        'long context / input': { kind: 'input', tier: LONG }, 'long context / cached': { kind: 'cache_read', tier: LONG },
        'long context / output': { kind: 'output', tier: LONG },
      },
      needed: ['input', 'cache_read', 'output'],
      priced: ['input', 'cache_read', 'output'],
      per,
      says: /^prices per 1m tokens\b/i,
      always: true,
    },
    {
      name: 'Imagine',
      when: { section: /^imagine(?: api)? pricing$/, columns: [/^model$/, /^cost$/] },
      ignored: 'prices by the image and second, whose sizes the table does not name',
    },
    { name: 'Imagine', when: { columns: [/^media input$/, /^resolution$/] }, ignored: 'prices by the image and second' },
    { name: 'Voice', when: { columns: [/^(?:model or )?mode$/, /^cost$/] }, ignored: 'prices by the minute and hour' },
    { name: 'Batch', when: { columns: [/^batch discount$/] }, ignored: 'discounts in per cent' },
  ],
  model: { name: /^grok-[a-z0-9.-]+/, notes: /\blong context ≥ ?200k tokens\b/gi },
  checks: { listed: [/^grok-/], models: 3, highestInput: [0.5, 50] },
} // biome-ignore format: a declaration reads best in lines

export const xaiPage = pageCollector(declaration)
