import { isObject, type JsonObject, textAt } from '../../reading/json.ts'
import { leaves, withSteps } from './amounts.ts'
import type { Amount, ModelList, PriceKey, Reading } from './declaration.ts'
import { endedBefore } from './ended.ts'

const PER_TOKEN = 0
const PER_MILLION = 6

/** Keys of input, output, and where a list has them reading and writing a cache. */
const tokens = (shift: number, ...keys: string[]): Record<string, PriceKey> =>
  Object.fromEntries(
    (['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'] as const).flatMap(
      (dimension, index) => (keys[index] ? [[keys[index], { dimension, shift }]] : []),
    ),
  )

const list = (format: string, provider: string, name: string) =>
  ({
    format,
    parserVersion: 1,
    provider,
    name,
    list: 'data',
    id: 'id',
    pricing: ['pricing'],
  }) satisfies Partial<ModelList>

/** Prices of tokens as OpenRouter asks its sellers to publish them: texts, US dollars per one. */
const PROMPT_COMPLETION = ['prompt', 'completion']

export const vercel: ModelList = {
  ...list('vercel-ai-gateway', 'vercel', 'Vercel AI Gateway'),
  parserVersion: 3,
  prices: {
    input: { dimension: 'input_tokens', shift: PER_TOKEN, zeroIsFree: true },
    output: { dimension: 'output_tokens', shift: PER_TOKEN, zeroIsFree: true },
    input_cache_read: { dimension: 'cache_read_tokens', shift: PER_TOKEN },
    input_cache_write: { dimension: 'cache_write_tokens', shift: PER_TOKEN },
    image: { dimension: 'output_images', shift: PER_TOKEN },
  },
  needed: ['input', 'output'],
  notPrices: (key) => key === 'varies_by_provider',
  leftOut: ({ deprecated_at: ends }, at) =>
    typeof ends === 'number' && ends <= Date.parse(at) ? 'a model that is no longer served' : undefined,
  amounts: withSteps,
  facts: ({ context_window: context, max_tokens: output, released }) => ({ context, output, released }),
}

/** Each seller behind the router charges a price of its own: `huggingface_novita`, as other lists name it. */
export const huggingFace: ModelList = {
  ...list('huggingface-router', 'huggingface', 'Hugging Face'),
  pricing: ['providers'],
  prices: tokens(PER_MILLION, 'input', 'output'),
  needed: ['input', 'output'],
  offers: ({ providers }) =>
    (Array.isArray(providers) ? providers : []).flatMap((offer: unknown, index) => {
      const seller = isObject(offer) ? textAt(offer, 'provider') : undefined
      if (!isObject(offer) || !seller) return []
      return {
        provider: `huggingface_${seller}`,
        name: `Hugging Face (${seller})`,
        pricing: offer.pricing,
        at: ['providers', index, 'pricing'],
        isFree: offer.is_free === true,
        unpriced: offer.status === 'live' ? undefined : 'an offer that is not live',
      }
    }),
}

export const novita: ModelList = {
  ...list('novita', 'novita', 'Novita AI'),
  parserVersion: 2,
  facts: ({ context_size: context }) => ({ context }),
  prices: tokens(PER_MILLION, 'prompt', 'completion', 'input_cache_read', 'input_cache_write'),
  needed: PROMPT_COMPLETION,
  leftOut: ({ status }) => (status === undefined || status === 1 ? undefined : 'a model that is not on sale'),
  unclear: ({ is_tiered_billing: isTiered }) => (isTiered ? 'prices by the size of the request' : undefined),
  amounts: twoNotations,
}

/** `{price_per_m: 1500, price_per_m_decimal: "0.15"}`: the second is a price in dollars where both say the same. */
function twoNotations(pricing: JsonObject, { report }: Reading): Amount[] {
  return Object.entries(pricing).flatMap(([key, value]): Amount[] => {
    if (value === null) return []
    const { price_per_m_decimal: dollars, price_per_m: whole } = isObject(value) ? value : {}
    const agree = whole === undefined || Number(dollars) * 10_000 === Number(whole)
    if (!agree) report('a price in two notations that differ', value)
    return [{ key, value: agree ? dollars : value, at: [key, 'price_per_m_decimal'] }]
  })
}

export const sambanova: ModelList = {
  ...list('sambanova', 'sambanova', 'SambaNova'),
  prices: tokens(PER_TOKEN, ...PROMPT_COMPLETION, 'input_cache_read'),
  needed: PROMPT_COMPLETION,
}

export const cerebras: ModelList = {
  ...list('cerebras', 'cerebras', 'Cerebras'),
  prices: tokens(PER_TOKEN, ...PROMPT_COMPLETION, 'input_cache_read'),
  needed: PROMPT_COMPLETION,
  leftOut: ({ deprecated }) => (deprecated === true ? 'a model that is no longer served' : undefined),
}

export const chutes: ModelList = {
  ...list('chutes', 'chutes', 'Chutes'),
  prices: tokens(PER_MILLION, ...PROMPT_COMPLETION, 'input_cache_read'),
  needed: PROMPT_COMPLETION,
}

export const requesty: ModelList = {
  ...list('requesty', 'requesty', 'Requesty'),
  parserVersion: 2,
  facts: ({ context_window: context }) => ({ context }),
  pricing: [],
  prices: tokens(PER_TOKEN, 'input_price', 'output_price', 'cached_price', 'caching_price'),
  needed: ['input_price', 'output_price'],
}

export const venice: ModelList = {
  ...list('venice', 'venice', 'Venice'),
  pricing: ['model_spec', 'pricing'],
  prices: tokens(PER_MILLION, 'input.usd', 'output.usd', 'cache_input.usd', 'cache_write.usd'),
  needed: ['input.usd', 'output.usd'],
  // The seller's own credits.
  notPrices: (key) => key.endsWith('.diem'),
  leftOut: ({ model_spec: spec }) => (isObject(spec) && spec.offline === true ? 'a model that is offline' : undefined),
  amounts: withExtended,
}

/** `extended` has the same prices again, for requests with more tokens than a threshold. */
function withExtended({ extended, ...base }: JsonObject, { report }: Reading): Amount[] {
  if (extended === undefined || extended === null) return leaves(base)
  const { context_token_threshold: from, ...prices } = isObject(extended) ? extended : {}
  if (Number.isSafeInteger(from) && Number(from) > 0) return [...leaves(base), ...under(leaves(prices), `>${from}`)]
  report('prices under an unknown condition', extended)
  return leaves(base)
}

const under = (amounts: Amount[], context: string): Amount[] =>
  amounts.map((amount) => ({ ...amount, at: ['extended', ...amount.at], tier: { context } }))

export const ovhAi: ModelList = {
  ...list('ovh-ai-endpoints', 'ovhcloud', 'OVHcloud AI Endpoints'),
  prices: tokens(PER_TOKEN, ...PROMPT_COMPLETION, 'input_cache_reads', 'input_cache_writes'),
  needed: PROMPT_COMPLETION,
  notPrices: (key) => key === 'currency_unit',
  unclear({ pricing }) {
    const currency = isObject(pricing) ? (pricing.currency_unit ?? 'USD') : 'USD'
    return currency === 'USD' ? undefined : `prices in ${currency}`
  },
}

export const llmGateway: ModelList = {
  ...list('llm-gateway', 'llmgateway', 'LLM Gateway'),
  prices: {
    ...tokens(PER_TOKEN, ...PROMPT_COMPLETION, 'input_cache_read', 'input_cache_write'),
    internal_reasoning: { dimension: 'reasoning_tokens', shift: PER_TOKEN },
  },
  needed: PROMPT_COMPLETION,
}

export const ioNet: ModelList = {
  ...list('io-net', 'io-net', 'io.net'),
  pricing: [],
  prices: tokens(
    PER_TOKEN,
    'input_token_price',
    'output_token_price',
    'cache_read_token_price',
    'cache_write_token_price',
  ),
  needed: ['input_token_price', 'output_token_price'],
}

export const avian: ModelList = {
  ...list('avian', 'avian', 'Avian'),
  prices: tokens(PER_MILLION, 'input_per_million', 'output_per_million', 'cache_read_per_million'),
  needed: ['input_per_million', 'output_per_million'],
}

export const nebius: ModelList = {
  ...list('nebius', 'nebius', 'Nebius Token Factory'),
  prices: tokens(PER_TOKEN, ...PROMPT_COMPLETION),
  needed: PROMPT_COMPLETION,
}

export const baseten: ModelList = {
  ...list('baseten', 'baseten', 'Baseten'),
  prices: tokens(PER_TOKEN, ...PROMPT_COMPLETION, 'input_cache_read'),
  needed: PROMPT_COMPLETION,
}

/** Kinds of models whose prices are by the token; the list gives the others numbers too, and does not say for what. */
const TOKEN_KINDS = ['chat', 'language', 'code', 'embedding', 'moderation']

export const together: ModelList = {
  ...list('together', 'together', 'Together AI'),
  list: undefined,
  prices: tokens(PER_MILLION, 'input', 'output', 'cached_input'),
  needed: ['input', 'output'],
  // Machines by the hour, and training.
  notPrices: (key) => ['hourly', 'base', 'finetune'].includes(key),
  unclear: ({ type }) =>
    type === undefined || TOKEN_KINDS.includes(String(type)) ? undefined : 'a price that is not by the token',
}

export const friendli: ModelList = {
  ...list('friendli', 'friendli', 'FriendliAI'),
  prices: tokens(PER_TOKEN, 'input', 'output', 'input_cache_read', 'input_cache_write'),
  needed: ['input', 'output'],
  // The first two again, under the names that OpenRouter asks for.
  notPrices: (key) => [...PROMPT_COMPLETION, 'unit_type'].includes(key),
  leftOut: ({ deprecation_date: ends }, at) => endedBefore(at, ends),
  unclear({ pricing }) {
    const unit = isObject(pricing) ? (pricing.unit_type ?? 'TOKEN') : 'TOKEN'
    return unit === 'TOKEN' ? undefined : 'a price that is not by the token'
  },
}

export const synthetic: ModelList = {
  ...list('synthetic', 'synthetic', 'Synthetic'),
  prices: tokens(PER_TOKEN, ...PROMPT_COMPLETION, 'input_cache_reads', 'input_cache_writes'),
  needed: PROMPT_COMPLETION,
  amounts: withDollarSigns,
}

/** `$0.00000055`; a zero stands without the sign. */
function withDollarSigns(pricing: JsonObject): Amount[] {
  return leaves(pricing).map((amount) =>
    typeof amount.value === 'string' ? { ...amount, value: amount.value.replace(/^\$(?=[\d.])/, '') } : amount,
  )
}
