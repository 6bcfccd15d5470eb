import type { Meaning, PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** Names of the API where the address of a model's own page does not spell them. */
const NAMES: { [slug: string]: string } = {
  'mistral-medium-3-5-26-04': 'mistral-medium-3-5',
  'voxtral-mini-transcribe-26-02': 'voxtral-mini-2602',
}

/** Families that Mistral makes: it sells models of others too. */
const OWN = /^(?:mistral|ministral|magistral|codestral|devstral|pixtral|voxtral|mathstral|ocr)-?/

/** A model's own page ends in its version and month: `mistral-small-4-0-26-03` is `mistral-small-2603`. */
function resource(_name: string, link = ''): string | undefined {
  const slug = /^(?:https:\/\/docs\.mistral\.ai)?\/models\/([a-z0-9-]+)$/.exec(link)?.[1]
  if (!slug || !OWN.test(slug)) return undefined
  if (Object.hasOwn(NAMES, slug)) return NAMES[slug]
  const dated = /^([a-z]+(?:-[a-z]+)*)(?:-\d{1,2}){0,2}?(-\d{1,2}b)?-(\d{2})-(\d{2})$/.exec(slug)
  if (dated) return `${dated[1]}${dated[2] ?? ''}-${dated[3]}${dated[4]}`
  return slug.replace(/^ocr-/, 'mistral-ocr-').replace(/-0$/, slug.startsWith('ocr') ? '-0' : '')
}

const MEANINGS: { [heading: string]: Meaning } = {
  model: 'model',
  input: { kind: 'input' },
  'cached input': { kind: 'cache_read' },
  output: { kind: 'output' },
}

/** docs.mistral.ai/inference/pricing: a section and a table for each family, with the standard prices chosen. */
const declaration: PageDeclaration = {
  format: 'mistral-page',
  parserVersion: 1,
  provider: 'mistral',
  name: 'Mistral',
  says: { 'Prices /M Tokens': /Prices \/M Tokens/i, 'Mistral models': /\bMistral\b/ },
  pressed: /^Standard$/,
  tables: [
    {
      name: 'Third-party hosted',
      when: { section: /^third-party hosted$/ },
      ignored: 'models of other makers',
    },
    {
      name: 'Specialized models',
      when: { section: /^specialized models$/ },
      meanings: MEANINGS,
      needed: ['input', 'cache_read', 'output'],
      lenient: true,
    },
    {
      name: 'Models',
      when: { columns: [/^model$/, /^input$/] },
      meanings: MEANINGS,
      needed: ['input', 'cache_read', 'output'],
      priced: ['input'],
      per,
      says: /^Prices \/M Tokens$/i,
      always: true,
    },
  ],
  model: { name: /^[A-Z][A-Za-z0-9. ()-]*[A-Za-z0-9)]/, resource },
  checks: { listed: [/^mistral-large-/, /^mistral-small-/, /^codestral-\d/], models: 5, highestInput: [0.3, 50] },
}

export const mistralPage = pageCollector(declaration)
