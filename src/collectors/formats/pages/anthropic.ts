import type { PageDeclaration } from '../../reading/pages/declaration.ts'
import { pageCollector } from '../../reading/pages/page-collector.ts'

/** Names of the API that the rule for display names does not spell. */
const NAMES: { [name: string]: string } = {
  'Opus 4': 'claude-opus-4-0',
  'Sonnet 4': 'claude-sonnet-4-0',
  'Sonnet 3.7': 'claude-3-7-sonnet-latest',
  'Sonnet 3.5': 'claude-3-5-sonnet',
  'Haiku 3.5': 'claude-3-5-haiku-latest',
  'Opus 3': 'claude-3-opus-latest',
  'Haiku 3': 'claude-3-haiku',
}

/** `Claude Opus 4.5` is `claude-opus-4-5`. */
function resource(name: string): string | undefined {
  const short = name.replace(/^Claude /, '')
  if (Object.hasOwn(NAMES, short)) return NAMES[short]
  const [, family, version] = /^([A-Z][a-z]+) ([4-9]\d?(?:\.\d+)?)$/.exec(short) ?? []
  return family && version ? `claude-${family.toLowerCase()}-${version.replace('.', '-')}` : undefined
}

/** platform.claude.com/docs/en/about-claude/pricing.md, and the same page as HTML. */
const declaration: PageDeclaration = {
  format: 'anthropic-page',
  parserVersion: 1,
  provider: 'anthropic',
  name: 'Anthropic',
  says: { 'that its prices are in USD': /\bprices are in USD\b/, 'Claude': /\bClaude\b/ },
  tables: [
    {
      name: 'Model pricing',
      when: { section: /^model pricing$/ },
      meanings: {
        model: 'model', 'base input tokens': { kind: 'input' }, '5m cache writes': { kind: 'cache_write' },
        '1h cache writes': { kind: 'cache_write', tier: { ttl: '1h' } }, 'cache hits and refreshes': { kind: 'cache_read' },
        'output tokens': { kind: 'output' },
        // The HTML since 2026-09.
        'model / name': 'model', 'base tokens / input': { kind: 'input' }, 'base tokens / output': { kind: 'output' },
        'prompt caching / 5m writes': { kind: 'cache_write' },
        'prompt caching / 1h writes': { kind: 'cache_write', tier: { ttl: '1h' } },
        'prompt caching / hits and refreshes': { kind: 'cache_read' },
      },
      needed: ['input', 'output', 'cache_write', 'cache_write 1h', 'cache_read'],
      priced: ['input', 'output', 'cache_write', 'cache_write 1h', 'cache_read'],
      always: true,
    },
    {
      name: 'Batch processing',
      when: { section: /^batch processing$/ },
      meanings: {
        model: 'model', 'batch input': { kind: 'input' }, 'batch output': { kind: 'output' },
        'model / name': 'model', 'batch tokens / input': { kind: 'input' }, 'batch tokens / output': { kind: 'output' },
      },
      needed: ['input', 'output'],
      priced: ['input', 'output'],
      tiers: { 'batch processing': { service: 'batch' } },
      always: true,
    },
    {
      name: 'Fast mode pricing',
      when: { section: /^fast mode pricing$/, columns: [/^model$/] },
      meanings: { model: 'model', input: { kind: 'input' }, output: { kind: 'output' } },
      needed: ['input', 'output'],
      tiers: { 'fast mode pricing': { service: 'fast' } },
    },
    {
      name: 'Long context pricing',
      when: { section: /^long context pricing$/ },
      ignored: 'long context of two models, in a table that does not name them',
    },
  ],
  model: {
    name: /^Claude [A-Z][a-z]+ \d+(?:\.\d+)?/,
    separator: ' / ',
    notes: /\((?:deprecated|limited (?:availability|access))\)/gi,
    retired: /\bretired\b/i,
    resource,
  },
  checks: {
    listed: [/^claude-opus-/, /^claude-sonnet-/, /^claude-haiku-/],
    models: 6,
    highestInput: [3, 200],
  },
} // biome-ignore format: a declaration reads best in lines

export const anthropicPage = pageCollector(declaration)
