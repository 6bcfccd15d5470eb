import type { Meaning, PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

const PER_MILLION = /^prices per 1m tokens(?: unless noted)?\b/i
const SERVICES = {
  batch: { service: 'batch' }, flex: { service: 'flex' }, priority: { service: 'priority' }, fast: { service: 'fast' },
  ultrafast: { service: 'ultrafast' },
} // biome-ignore format: a table
const LONG = { context: '>272000' }

/** Short context is up to 272,000 input tokens, which the page must say. */
const CONTEXTS: { [heading: string]: Meaning } = {
  model: 'model',
  'short context input': { kind: 'input' },
  'short context cached input': { kind: 'cache_read' },
  'short context cache writes': { kind: 'cache_write' },
  'short context output': { kind: 'output' },
  'long context input': { kind: 'input', tier: LONG },
  'long context cached input': { kind: 'cache_read', tier: LONG },
  'long context cache writes': { kind: 'cache_write', tier: LONG },
  'long context output': { kind: 'output', tier: LONG },
}
const PLAIN: { [heading: string]: Meaning } = {
  category: 'ignored',
  model: 'model',
  modality: 'modality',
  input: { kind: 'input' },
  'cached input': { kind: 'cache_read' },
  'cache writes': { kind: 'cache_write' },
  output: { kind: 'output' },
  'output / cost': { kind: 'output' },
}
const needed = ['input', 'cache_read', 'output']

/** developers.openai.com/api/docs/pricing.md: a section for each family, a heading or a line for each service tier. */
const declaration: PageDeclaration = {
  format: 'openai-page',
  parserVersion: 2,
  provider: 'openai',
  name: 'OpenAI',
  says: {
    'Prices per 1M tokens': /\bPrices per 1M tokens\b/,
    'that long context begins above 272K tokens': /[<>]\s?272K\b/,
    'Standard pricing data': /\bStandard pricing data\b/,
  },
  titles: {
    'flagship models': 1, 'cyber models': 1, 'realtime and audio generation models': 1, 'image generation models': 1,
    'video generation models': 1, 'transcription models': 1, 'multimodal models': 1, tools: 1, 'specialized models': 1, finetuning: 1,
    'embedding models': 1, 'moderation models': 1,
    standard: 2, batch: 2, flex: 2, priority: 2, fast: 2, 'fast mode': 2, ultrafast: 2, 'ultrafast mode': 2,
  },
  plain: /^(?:Pricing|Our latest models|Hosted Shell and Code Interpreter|Prices per 1M tokens(?: unless noted)?|(?:(?:Standard|Batch|Flex|Fast|Ultrafast|Priority|Grouped) )?[Pp]ricing (?:[Tt]able )?data|(?:Tool|Fine-?tuning|Video) pricing.*)$/,
  tables: [
    {
      name: 'Flagship models',
      when: { section: /^(?:standard|batch|flex|priority|fast|ultrafast) pricing data$/ },
      meanings: CONTEXTS,
      needed: [...needed, 'input >272000', 'output >272000'],
      priced: ['input', 'output'],
      tiers: {
        'batch pricing data': SERVICES.batch, 'flex pricing data': SERVICES.flex, 'priority pricing data': SERVICES.priority,
        'fast pricing data': SERVICES.fast, 'ultrafast pricing data': SERVICES.ultrafast,
      },
      per,
      always: true,
    },
    {
      name: 'Cyber models',
      when: { section: /^cyber models$/ },
      meanings: CONTEXTS,
      needed,
      per,
      tiers: { batch: SERVICES.batch, flex: SERVICES.flex, fast: SERVICES.fast, 'fast mode': SERVICES.fast },
      says: PER_MILLION,
    },
    ...['video generation models', 'transcription models', 'tools', 'finetuning'].map((section) => ({
      name: section,
      when: { section: new RegExp(`^${section}$`) },
      ignored: `prices of ${section}, which are not read from this page`,
    })),
    {
      name: 'Specialized, audio and image models',
      when: { section: /^grouped pricing table data$/ },
      meanings: PLAIN,
      needed: ['input', 'cache_read', 'output'],
      tiers: {
        batch: SERVICES.batch, flex: SERVICES.flex, priority: SERVICES.priority, fast: SERVICES.fast,
        'fast mode': SERVICES.fast, ultrafast: SERVICES.ultrafast, 'ultrafast mode': SERVICES.ultrafast,
      },
      per,
      lenient: true,
    },
  ],
  model: { name: /^[a-z][a-z0-9.-]*/ },
  checks: {
    listed: [/^gpt-\d/, /^gpt-4o$/, /^o\d/],
    models: 15,
    highestInput: [20, 1_000],
  },
} // biome-ignore format: a declaration reads best in lines

export const openaiPage = pageCollector(declaration)
