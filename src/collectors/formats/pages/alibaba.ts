import type { PricingTier } from '../../../catalog/schema.ts'
import type { ByText, Meanings, PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** Where a model is served. International is the standard: it is what others list, and Singapore serves nothing else. */
const REGIONS: ByText<PricingTier> = [
  [/\binternational\b|^singapore$/, {}],
  [/^global\b/, { region: 'Global' }],
  [/^chinese mainland\b|^mainland china\b|^china \(beijing\)$/, { region: 'Chinese mainland' }],
  [/^hong kong \(china\)$|^china \(hong kong\)$/, { region: 'Hong Kong (China)' }],
  [/^us$|^us \(virginia\)$/, { region: 'US' }],
  [/^(?:eu|european union)$|^germany \(frankfurt\)$/, { region: 'EU' }],
  [/^japan(?: \(tokyo\))?$/, { region: 'Japan' }],
]

/** A model that thinks may charge more for all of its output then. */
const THINKING = { offer: 'thinking' }
const MODES: ByText<PricingTier> = [
  [/^(?:non-)?thinking and (?:non-)?thinking(?: modes?)?$/, {}],
  [/^non-thinking(?: mode)?(?: only)?$|^thinking(?: mode)? only$/, {}],
  [/^thinking mode$/, THINKING],
]

const BATCH = /\b50% off for batch calls\b|\b50% batch inference discount\b|\bbatch calls? (?:at )?half price\b/i
const MILLION = String.raw`\((?:per )?(?:1 million|1m|million) tokens\)`
const INPUT = new RegExp(`^input (?:price|cost) ${MILLION}$`)
const MODEL = /^model(?: id)?$/

const MEANINGS: Meanings = [
  [MODEL, 'model'],
  [/^deployment scope$/, { tiers: REGIONS }],
  [/^mode$/, { tiers: MODES, of: 'output' }],
  [/^input tokens?(?: range)? per request$|^number of input tokens$/, 'context'],
  [INPUT, { kind: 'input' }],
  [new RegExp(`^output (?:price|cost) ${MILLION}(?: (?:chain of thought|cot) (?:\\+|and) (?:response|answer))?$`), { kind: 'output' }],
  [new RegExp(`^output (?:price|cost) ${MILLION} / non-thinking mode$`), { kind: 'output' }],
  [new RegExp(`^output (?:price|cost) ${MILLION} / thinking mode\\b`), { kind: 'output', tier: THINKING, alone: true }],
  [/^free quota\b/, 'ignored'],
] // biome-ignore format: a table

/**
 * alibabacloud.com/help/en/model-studio/model-pricing, whose page is written in the browser: its text is in the answer of
 * the site's help API. A section for each family, a table for each region.
 */
const declaration: PageDeclaration = {
  format: 'alibaba-page',
  parserVersion: 1,
  provider: 'alibaba',
  name: 'Alibaba Cloud Model Studio',
  inside: ['data', 'content'],
  says: {
    'prices per million tokens': /\b(?:1 million|1M|Million) tokens\b/,
    'International or Singapore': /\bInternational\b|\bSingapore\b/,
    'prices in dollars': /\$\d/,
  },
  tables: [
    {
      name: 'Other sections',
      when: { outside: /^text generation\b/ },
      ignored: 'prices of images, video, speech and embeddings',
    },
    {
      name: 'Models of several kinds of content',
      when: { columns: [/\b(?:audio|images?|video)\b/] },
      ignored: 'prices that depend on what else a request holds: audio, images, video',
    },
    {
      name: 'Other units',
      when: { columns: [MODEL], without: /\((?:per )?(?:\w+ )?\w+ (?:input )?tokens\)/ },
      ignored: 'prices that are not by the token',
    },
    {
      name: 'Models by the token',
      when: { columns: [MODEL, INPUT, /^output (?:price|cost)\b/] },
      meanings: MEANINGS,
      needed: ['input', 'output'],
      priced: ['input', 'output'],
      tiers: REGIONS,
      placed: true,
      per,
      lenient: true,
      always: true,
    },
  ],
  model: {
    name: /^(?=\S*[\d-])[A-Za-z][A-Za-z0-9.]*(?:[-_/][A-Za-z0-9.]+)*(?=\s|$)/,
    notes: new RegExp(
      `${BATCH.source}|\\bcurrently equivalent to [\\w.-]+|\\b(?:discounts? available for )?context cach(?:e|ing)(?: discount)?\\b`,
      'gi',
    ),
    discounts: [{ note: BATCH, kinds: ['input', 'output'], tier: { service: 'batch' }, percent: 50 }],
  },
  checks: { listed: [/^qwen[\d.]*-max$/, /^qwen[\d.]*-plus$/], models: 3, highestInput: [0.5, 100] },
}

export const alibabaPage = pageCollector(declaration)
