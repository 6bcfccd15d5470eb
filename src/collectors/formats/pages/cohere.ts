import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'

/** Names of the API that the page does not spell: the version of each that its maker calls live. */
const NAMES: { [name: string]: string } = {
  'Command R': 'command-r-08-2024',
  'Command R+ 08-2024': 'command-r-plus-08-2024',
  'Command R7B': 'command-r7b-12-2024',
}

/** `Embed 5 Pro` is `embed-v5.0-pro`, `Rerank 3.5` is `rerank-v3.5`. */
function resource(name: string): string | undefined {
  if (Object.hasOwn(NAMES, name)) return NAMES[name]
  const [, family, version, variant] = /^(Embed|Rerank|Parse) (\d(?:\.\d)?)(?: (Pro|Fast))?$/.exec(name) ?? []
  if (!family || !version) return undefined
  const numbered = `${family}-v${version.includes('.') ? version : `${version}.0`}`
  return (variant ? `${numbered}-${variant}` : numbered).toLowerCase()
}

/** cohere.com/pricing: boxes behind tabs, and a sentence about a model that none of them has. */
const declaration: PageDeclaration = {
  format: 'cohere-page',
  parserVersion: 1,
  provider: 'cohere',
  name: 'Cohere',
  says: {
    'Cohere models': /\bCommand R\b/,
    'prices for 1M tokens': /\b1M tokens\b/,
    // The numbers of its data have no sign.
    'prices in dollars': /(?:^|[^|] )\$\d/m,
  },
  cards: {
    groups: 'pricingGroups',
    title: 'title',
    models: 'models',
    name: 'modelName',
    prices: 'pricings',
    unit: ['overridePer', 'per'],
    labelled: [
      ['inputLabel', 'inputPrice'],
      ['outputLabel', 'outputPrice'],
    ],
  },
  // Of the models before, the others are retired, and have a price for those who use them still.
  sentences: {
    heading: 'Legacy models',
    pattern:
      /^(?<model>Command R\+ 08-2024) pricing is (?<input>\$[\d.]+\/1M tokens) for input and (?<output>\$[\d.]+\/1M tokens) for output$/,
  },
  tables: [
    {
      name: 'Free of charge',
      when: { columns: [/^api key$/, /^model download$/] },
      ignored: 'a key and a download that cost nothing, which is not what use costs',
    },
    {
      name: 'Generative models',
      when: { section: /^(?:generative|coding) models$/ },
      meanings: { model: 'model', unit: 'unit', input: { kind: 'input' }, output: { kind: 'output' } },
      needed: ['input', 'output'],
      priced: ['input', 'output'],
      always: true,
    },
    {
      name: 'Retrieval models',
      when: { section: /^advanced retrieval models$/ },
      meanings: {
        model: 'model',
        unit: 'unit',
        cost: { kind: 'input' },
        'image cost': { kind: 'input', content: 'image' },
      },
      needed: ['input'],
      always: true,
    },
    {
      name: 'Legacy models',
      when: { section: /^legacy models$/ },
      meanings: { model: 'model', input: { kind: 'input' }, output: { kind: 'output' } },
      needed: ['input', 'output'],
      priced: ['input', 'output'],
    },
  ],
  model: { name: /^(?:Command|Embed|Rerank|Parse)[A-Za-z0-9+. -]*/, resource },
  checks: { listed: [/^command-r7b-/, /^embed-v/], models: 4, highestInput: [0.1, 20] },
}

export const coherePage = pageCollector(declaration)
