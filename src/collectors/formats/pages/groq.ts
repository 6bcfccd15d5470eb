import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'
import { PER_MILLION_TOKENS as per } from '../../reading/pages/per.ts'

/** The id stands behind the link to the model's own page, whose address ends in it. */
function resource(_name: string, link: string | undefined, beside: string): string | undefined {
  const id = /^(?:https:\/\/console\.groq\.com)?\/docs\/model\/([a-z0-9][a-z0-9./-]*)$/.exec(link ?? '')?.[1]
  return id && beside.endsWith(id) ? id : undefined
}

/** console.groq.com/docs/models.md: a table for each kind of model, with input and output in one cell. */
const declaration: PageDeclaration = {
  format: 'groq-page',
  parserVersion: 1,
  provider: 'groq',
  name: 'Groq',
  says: { 'Supported Models': /\bSupported Models\b/, 'GroqCloud': /\bGroqCloud\b/, 'PRICE PER 1M TOKENS': /\bPRICE PER 1M TOKENS\b/i },
  tables: [
    {
      name: 'Systems',
      when: { section: /^production systems$/ },
      ignored: 'systems, which cost what the models cost that they use',
    },
    {
      name: 'Models',
      when: { section: /^(?:production|preview) models$/ },
      meanings: {
        'model id': 'model',
        'price per 1m tokens': {
          byWords: [
            [/^input$/, { kind: 'input' }],
            [/^output$/, { kind: 'output' }],
            [/^per hour$/, { kind: 'speech', per: { unit: 'hour', decimalShift: 0 } }],
            [/^per 1m characters$/, { kind: 'speech', per: { unit: 'character', decimalShift: 6 } }],
          ],
        },
        'speed (t/sec)': 'ignored', 'rate limits (developer plan)': 'ignored', 'context window (tokens)': 'ignored',
        'max completion tokens': 'ignored', 'max file size': 'ignored',
      },
      needed: ['input', 'output'],
      together: ['input', 'output'],
      onRequest: /^Contact ?Sales$/i,
      per,
      always: true,
    },
  ],
  model: { name: /^[A-Z].*/, resource },
  checks: { listed: [/^openai\/gpt-oss-120b$/, /^qwen\//], models: 5, highestInput: [0.1, 20] },
} // biome-ignore format: a declaration reads best in lines

export const groqPage = pageCollector(declaration)
