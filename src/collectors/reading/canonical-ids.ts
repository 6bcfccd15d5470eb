import { lookUp } from '../../lib/collections.ts'

/**
 * Who makes a resource, found from its seller's name for it alone, so that one name has the same canonical id in every
 * snapshot. What is not certain stays without one.
 */

/** Organizations before a slash or a dot (`meta-llama/…`, `mistral.…`) and whose slug they go by. */
const ORGANIZATIONS: Record<string, string> = {
  ai21: 'ai21', 'ai21-labs': 'ai21', amazon: 'aws', anthropic: 'anthropic', 'arcee-ai': 'arcee', baai: 'baai',
  baidu: 'baidu', bytedance: 'bytedance', 'bytedance-seed': 'bytedance', cohere: 'cohere', coherelabs: 'cohere',
  deepseek: 'deepseek', 'deepseek-ai': 'deepseek', google: 'google', 'ibm-granite': 'ibm', inception: 'inception',
  inflection: 'inflection', liquid: 'liquid', liquidai: 'liquid', meituan: 'meituan', meta: 'meta',
  'meta-llama': 'meta', microsoft: 'microsoft', minimax: 'minimax', minimaxai: 'minimax', mistral: 'mistral',
  mistralai: 'mistral', moonshot: 'moonshotai', moonshotai: 'moonshotai', morph: 'morph', nousresearch: 'nousresearch',
  nvidia: 'nvidia', openai: 'openai', perplexity: 'perplexity', qwen: 'qwen', 'stepfun-ai': 'stepfun', stepfun: 'stepfun',
  tencent: 'tencent', tencenthunyuan: 'tencent', thudm: 'zai', upstage: 'upstage', voyage: 'voyageai', 'x-ai': 'x-ai',
  xai: 'x-ai', 'z-ai': 'zai', 'zai-org': 'zai', zai: 'zai',
} // biome-ignore format: a vocabulary reads best in lines

/** Names that only one maker gives, wherever they are sold. */
const NAMES: [RegExp, string][] = [
  [/^claude-/, 'anthropic'],
  [/^(gpt-|chatgpt-|o[134](-|$)|codex-|dall-e-|whisper-|text-embedding-(3|ada)|gpt4)/, 'openai'],
  [/^(gemini-|gemma-|imagen-|veo-)/, 'google'],
  [/^grok-/, 'x-ai'],
  [/^(mistral-|mixtral-|ministral-|magistral-|codestral|devstral|pixtral-|voxtral-)/, 'mistral'],
  [/^(meta-)?llama-?v?[234]/, 'meta'],
  [/^deepseek-(?!.*distill)/, 'deepseek'],
  [/^(qwen|qwq)-?\d*/, 'qwen'],
  [/^kimi-/, 'moonshotai'],
  [/^glm-/, 'zai'],
  [/^(amazon-)?(nova|titan)-/, 'aws'],
  [/^command(-|$)/, 'cohere'],
  [/^phi-/, 'microsoft'],
  [/^voyage-/, 'voyageai'],
]

/** Providers that list models of their own, except the names that {@link NAMES} gives to another maker. */
const MODEL_MAKERS = new Set([
  'ai21', 'anthropic', 'cohere', 'deepseek', 'google', 'minimax', 'mistral', 'moonshotai', 'openai', 'perplexity',
  'upstage', 'voyageai', 'x-ai', 'zai',
]) // biome-ignore format: a vocabulary reads best in lines

/** How one maker's names are spelled by others: `claude-3.5-haiku` is `claude-3-5-haiku` at its maker. */
const SPELLING: Record<string, (name: string) => string> = {
  anthropic: (name) => name.replaceAll('.', '-'),
}

const MAX_CANONICAL_LENGTH = 300

/** `<maker>/<name>` of a resource as `provider` names it, or undefined where the maker is not certain. */
export function canonicalOf(provider: string, resource: string): string | undefined {
  // What a seller puts around its makers' names is not part of them.
  const name = resource
    .toLowerCase()
    .replace(/^~|^@cf\/|^hf:|^accounts\/fireworks\/models\/|-maas$|@\d{3}$/g, '')
    .replace(provider === 'databricks' ? /^databricks-/ : '', '')
    .replace(/^(global|regional|us|eu|apac|au|jp|ca|us-gov)\.(?=[a-z0-9]+\.)/, '')
    .replace(/:(free|beta|extended|thinking|nitro|floor|online|exacto)$/, '')
  const path = /^([a-z0-9-]+)[/]([^/]+)$/.exec(name) ?? /^([a-z][a-z0-9]+)\.([a-z].*)$/.exec(name)
  const [, organization = '', rest = ''] = path ?? []
  const maker = lookUp(ORGANIZATIONS, organization)
  if (maker) return canonical(maker, rest.replace(/-v\d+:\d+$|:\d+$/, ''))
  if (path) return undefined
  if (name.includes('/')) return undefined
  const known = NAMES.find(([pattern]) => pattern.test(name))?.[1]
  if (known) return canonical(known, name)
  if (MODEL_MAKERS.has(provider)) return canonical(provider, name)
  return undefined
}

function canonical(maker: string, name: string): string | undefined {
  const id = `${maker}/${SPELLING[maker]?.(name) ?? name}`
  return name !== '' && id.length <= MAX_CANONICAL_LENGTH ? id : undefined
}
