import type { Dimension, ModelName, PricingTier } from '../../catalog/schema.ts'

/** Tokens of a model as its API names it, and on which terms. */
type AzureTokens = { resource: string; dimension: Dimension; tier: PricingTier }
export type NamedMeter = (meter: string, region: string | undefined) => AzureTokens | { leftOut: string }

type WordMeaning = {
  kind?: 'input' | 'output'
  isCached?: true
  route?: 'global' | 'data_zone' | 'regional'
  service?: string
}

/** What each word of a meter says beside the model; words of units say nothing. */
const WORDS = new Map<string, WordMeaning>(
  [
    ...['in', 'inp', 'inpt', 'input'].map((word): [string, WordMeaning] => [word, { kind: 'input' }]),
    ...['out', 'outp', 'outpt', 'opt', 'output'].map((word): [string, WordMeaning] => [word, { kind: 'output' }]),
    ...['cached', 'cd', 'cchd', 'ccchd'].map((word): [string, WordMeaning] => [word, { isCached: true }]),
    ...['gl', 'glb', 'glbl', 'global'].map((word): [string, WordMeaning] => [word, { route: 'global' }]),
    ...['dz', 'dzn', 'dzone', 'datazone'].map((word): [string, WordMeaning] => [word, { route: 'data_zone' }]),
    ...['rgnl', 'regnl', 'regional'].map((word): [string, WordMeaning] => [word, { route: 'regional' }]),
    ['batch', { service: 'batch' }],
    ['pp', { service: 'priority' }],
    ...['1k', '1m', 'token', 'tokens'].map((word): [string, WordMeaning] => [word, {}]),
  ],
) // biome-ignore format: a vocabulary reads best in lines

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replace(/\bdata zone\b/g, 'datazone')
    .split(/[\s-]+/)
    .filter((word) => word !== '')

/**
 * Meters of models say in short words which model and which tokens (`gpt 4.1 cached Inp glbl`). What is left without the
 * known words must be a name of the table, so that no unknown word is taken for nothing. A global deployment costs the same
 * everywhere, and is what lists mean.
 */
export function namedMeters(names: ModelName[]): NamedMeter {
  const known = new Map(names.map(({ listed, resource }) => [wordsOf(listed).join(' '), resource]))
  return (meter, region) => {
    const words = wordsOf(meter)
    const said = words.flatMap((word) => WORDS.get(word) ?? [])
    const name = words.filter((word) => !WORDS.has(word)).join(' ')
    const resource = known.get(name)
    if (!resource) return { leftOut: `a model whose name in the API is not known: ${name}` }
    const { kind, isCached, route, service }: WordMeaning = Object.assign({}, ...said)
    const isTwice = said.length !== new Set(said.map((one) => Object.keys(one)[0] ?? said.indexOf(one))).size
    if (!kind || !route || isTwice || (isCached && kind === 'output'))
      return { leftOut: `a meter of ${resource} that does not say which tokens, or which deployment` }
    return {
      resource,
      dimension: isCached ? 'cache_read_tokens' : `${kind}_tokens`,
      tier: { ...(route !== 'global' && { ...(region && { region }), offer: route }), ...(service && { service }) },
    }
  }
}
