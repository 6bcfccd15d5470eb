import { expect, it } from 'vitest'
import { genaiKey } from '../../../src/collectors/formats/genai-prices-keys.ts'
import { litellmKey } from '../../../src/collectors/formats/litellm-keys.ts'
import { canonicalOf } from '../../../src/collectors/reading/canonical-ids.ts'
import { providerSlug } from '../../../src/collectors/reading/provider-slugs.ts'
import { lines, parseAs } from '../support.ts'

/** `a b  c d`: pairs of words, in lines. */
const pairs = (text: string): [string, string][] =>
  text
    .trim()
    .split(/\s{2,}/)
    .map((pair) => pair.split(' ') as [string, string])

it('each organization before a slash or a dot makes models under the slug it goes by', () => {
  const organizations = pairs(`
    ai21 ai21  ai21-labs ai21  amazon aws  anthropic anthropic  arcee-ai arcee  baai baai  baidu baidu
    bytedance bytedance  bytedance-seed bytedance  cohere cohere  coherelabs cohere  deepseek deepseek
    deepseek-ai deepseek  google google  ibm-granite ibm  inception inception  inflection inflection  liquid liquid
    liquidai liquid  meituan meituan  meta meta  meta-llama meta  microsoft microsoft  minimax minimax  minimaxai minimax
    mistral mistral  mistralai mistral  moonshot moonshotai  moonshotai moonshotai  morph morph  nousresearch nousresearch
    nvidia nvidia  openai openai  perplexity perplexity  qwen qwen  stepfun-ai stepfun  stepfun stepfun  tencent tencent
    tencenthunyuan tencent  thudm zai  upstage upstage  voyage voyageai  x-ai x-ai  xai x-ai  z-ai zai  zai-org zai
    zai zai
  `)
  expect(organizations).toHaveLength(47)
  for (const [organization, maker] of organizations)
    expect(canonicalOf('acme', `${organization}/own`)).toBe(`${maker}/own`)
})

it('each name that only one maker gives tells the maker, where it begins so', () => {
  const names = pairs(`
    claude-x anthropic  gpt-x openai  chatgpt-x openai  o1 openai  o3-x openai  o4 openai  codex-x openai  dall-e-3 openai
    whisper-1 openai  text-embedding-3 openai  text-embedding-ada-002 openai  gpt4 openai  gemini-x google  gemma-x google
    imagen-x google  veo-x google  grok-x x-ai  mistral-x mistral  mixtral-x mistral  ministral-x mistral
    magistral-x mistral  codestral mistral  devstral mistral  pixtral-x mistral  voxtral-x mistral  llama-3 meta
    llama2 meta  llama-4-x meta  meta-llama-3 meta  deepseek-x deepseek  qwen-x qwen  qwen3 qwen  qwq qwen
    kimi-x moonshotai  glm-x zai  nova-x aws  titan-x aws  amazon-nova-x aws  amazon-titan-x aws  command cohere
    command-r cohere  phi-x microsoft  voyage-x voyageai
  `)
  for (const [name, maker] of names) {
    expect(canonicalOf('acme', name)).toBe(`${maker}/${name}`)
    expect(canonicalOf('acme', `my-${name}`)).toBeUndefined()
  }
  const none = ['o2', 'o10', 'llama-5', 'llama', 'text-embedding-4', 'novax', 'amazon-x', 'deepseek', 'claude', 'gpt']
  for (const name of none) expect(canonicalOf('acme', name)).toBeUndefined()
})

it('makers list models of their own', () => {
  const makers =
    `ai21 anthropic cohere deepseek google minimax mistral moonshotai openai perplexity upstage voyageai x-ai
    zai`.split(/\s+/)
  expect(makers.map((maker) => canonicalOf(maker, 'own'))).toEqual(makers.map((maker) => `${maker}/own`))
  expect(canonicalOf('anthropic', 'own 3.5.1')).toBe('anthropic/own 3-5-1')
  expect(['aws', 'azure', 'meta', 'qwen', 'groq'].map((seller) => canonicalOf(seller, 'own'))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it('parts of a name that say how it is sold are left out', () => {
  for (const region of ['global', 'regional', 'us', 'eu', 'apac', 'au', 'jp', 'ca', 'us-gov'])
    expect(canonicalOf('aws', `${region}.meta.llama3`)).toBe('meta/llama3')
  for (const way of ['free', 'beta', 'extended', 'thinking', 'nitro', 'floor', 'online', 'exacto'])
    expect(canonicalOf('openrouter', `openai/gpt-5:${way}`)).toBe('openai/gpt-5')
})

it('each provider of other lists has one slug here', () => {
  const slugs = pairs(`
    amazon-bedrock aws  amazon_nova aws  azure_ai azure-ai  azure_text azure  bedrock aws  bedrock_converse aws
    bedrock_mantle aws  azure-cognitive-services azure  codestral mistral  cohere_chat cohere  fireworks-ai fireworks
    fireworks_ai fireworks  fireworks_ai-embedding-models fireworks  gemini google  github_copilot github-copilot
    google-vertex-anthropic google-vertex  moonshot moonshotai  cloudflare-workers-ai cloudflare
    text-completion-codestral mistral  text-completion-openai openai  together_ai together  togetherai together
    vercel_ai_gateway vercel  novita-ai novita  vertex_ai google-vertex  voyage voyageai  xai x-ai
  `)
  expect(slugs).toHaveLength(27)
  for (const [name, slug] of slugs) expect(providerSlug(name)).toBe(slug)
})

it('each cost key of LiteLLM has its dimension', () => {
  const one = pairs(`
    input_cost_per_token input_tokens  output_cost_per_token output_tokens  output_cost_per_reasoning_token reasoning_tokens
    citation_cost_per_token citation_tokens  cache_read_input_token_cost cache_read_tokens
    input_cost_per_token_cache_hit cache_read_tokens  cache_creation_input_token_cost cache_write_tokens
    input_cost_per_audio_token input_audio_tokens  output_cost_per_audio_token output_audio_tokens
    cache_read_input_audio_token_cost cache_read_audio_tokens
    cache_read_input_token_cost_per_audio_token cache_read_audio_tokens
    cache_creation_input_audio_token_cost cache_write_audio_tokens  input_cost_per_image_token input_image_tokens
    output_cost_per_image_token output_image_tokens  cache_read_input_image_token_cost cache_read_image_tokens
    input_cost_per_video_token input_video_tokens  output_cost_per_video_token output_video_tokens
    input_cost_per_character input_characters  output_cost_per_character output_characters
    input_cost_per_image input_images  output_cost_per_image output_images  input_cost_per_pixel input_pixels
    output_cost_per_pixel output_pixels  input_cost_per_audio_per_second input_audio_seconds
    output_cost_per_audio_per_second output_audio_seconds  input_cost_per_video_per_second input_video_seconds
    output_cost_per_video_per_second output_video_seconds  input_cost_per_second per_second_in
    output_cost_per_second per_second_out  input_cost_per_query rerank_queries  input_cost_per_request requests
    input_cost_per_text_message input_messages  ocr_cost_per_page pages  annotation_cost_per_page annotated_pages
    code_interpreter_cost_per_session tool_sessions
  `)
  for (const [key, dimension] of one) expect(litellmKey(key)).toEqual({ dimension, tier: {}, decimalShift: 0 })
  const thousand = pairs('file_search_cost_per_1k_calls storage_searches  web_search_cost_per_1k_calls web_searches')
  for (const [key, dimension] of thousand) expect(litellmKey(key)).toEqual({ dimension, tier: {}, decimalShift: 3 })
  const services = pairs(
    'batches batch  batch batch  priority priority  flex flex  fast fast  balanced balanced  ultrafast ultrafast  decisions decisions',
  )
  for (const [suffix, service] of services)
    expect(litellmKey(`input_cost_per_token_${suffix}`)?.tier).toEqual({ service })
})

it('each key of genai-prices that counts no tokens has its dimension, and how many it is for', () => {
  const keys: [string, string, number][] = [
    ['requests_kcount', 'requests', 3],
    ['web_searches_kcount', 'web_searches', 3],
    ['storage_searches_kcount', 'storage_searches', 3],
    ['social_searches_kcount', 'social_searches', 3],
    ['rerank_searches_kcount', 'rerank_queries', 3],
    ['input_text_messages_kcount', 'input_messages', 3],
    ['input_document_kpages', 'pages', 3],
    ['input_annotated_document_kpages', 'annotated_pages', 3],
    ['input_gpixels', 'input_pixels', 9],
    ['output_gpixels', 'output_pixels', 9],
    ['audio_hours', 'audio_hours', 0],
    ['input_audio_hours', 'input_audio_hours', 0],
    ['output_audio_hours', 'output_audio_hours', 0],
  ]
  for (const [key, dimension, decimalShift] of keys)
    expect(genaiKey(key)).toEqual({ dimension, tier: {}, decimalShift })
})

it('each price that OpenRouter lists has its dimension', () => {
  const pricing = {
    prompt: '1', completion: '2', internal_reasoning: '3', input_cache_read: '4', input_cache_write: '5', audio: '6',
    audio_output: '7', input_audio_cache: '8', image: '9', image_token: '10', image_output: '11', request: '12',
    web_search: '13',
  } // biome-ignore format: a table
  expect(lines(parseAs('openrouter')({ data: [{ id: 'm', pricing }] }))).toEqual([
    'm input_tokens usd_per_token {} 1',
    'm output_tokens usd_per_token {} 2',
    'm reasoning_tokens usd_per_token {} 3',
    'm cache_read_tokens usd_per_token {} 4',
    'm cache_write_tokens usd_per_token {} 5',
    'm input_audio_tokens usd_per_token {} 6',
    'm output_audio_tokens usd_per_token {} 7',
    'm cache_read_audio_tokens usd_per_token {} 8',
    'm input_images usd_per_image {} 9',
    'm input_image_tokens usd_per_token {} 10',
    'm output_image_tokens usd_per_token {} 11',
    'm requests usd_per_request {} 12',
    'm web_searches usd_per_search {} 13',
  ])
  const free = { prompt: '0', completion: '0', request: '0' }
  expect(lines(parseAs('openrouter')({ data: [{ id: 'm', pricing: free }] }))).toEqual([
    'm input_tokens usd_per_token {} 0',
    'm output_tokens usd_per_token {} 0',
  ])
})

it('each price that models.dev lists has its dimension, per million', () => {
  const cost = { input: 1, output: 2, reasoning: 3, cache_read: 4, cache_write: 5, input_audio: 6, output_audio: 7 }
  expect(lines(parseAs('models-dev')({ acme: { models: { m: { cost } } } }))).toEqual([
    'm input_tokens usd_per_token {} 0.000001',
    'm output_tokens usd_per_token {} 0.000002',
    'm reasoning_tokens usd_per_token {} 0.000003',
    'm cache_read_tokens usd_per_token {} 0.000004',
    'm cache_write_tokens usd_per_token {} 0.000005',
    'm input_audio_tokens usd_per_token {} 0.000006',
    'm output_audio_tokens usd_per_token {} 0.000007',
  ])
  const free = { input: 0, output: 0, reasoning: 0 }
  expect(lines(parseAs('models-dev')({ acme: { models: { 'm:free': { cost: free } } } }))).toEqual([
    'm:free input_tokens usd_per_token {} 0',
    'm:free output_tokens usd_per_token {} 0',
  ])
})

it('each variation of the AI Price Index has its dimension and tier', () => {
  const price = (price_usd: number) => [{ price_usd, unit: 'usd_per_ktok' }]
  const read = (...names: string[]) =>
    lines(
      parseAs('ai-price-index')({
        provider: 'amazon',
        model: 'm',
        variations: Object.fromEntries(names.map((name, n) => [name, price(n + 1)])),
      }),
    )
  expect(read('input', 'output', 'cache_read', 'cache_write', 'cache_write_1h', 'batch_input', 'batch_output')).toEqual(
    [
      'm input_tokens usd_per_token {} 0.001',
      'm output_tokens usd_per_token {} 0.002',
      'm cache_read_tokens usd_per_token {} 0.003',
      'm cache_write_tokens usd_per_token {} 0.004',
      'm cache_write_tokens usd_per_token {"ttl":"1h"} 0.005',
      'm input_tokens usd_per_token {"service":"batch"} 0.006',
      'm output_tokens usd_per_token {"service":"batch"} 0.007',
    ],
  )
  expect(read('embeddings', 'cache_write_5m', 'image_per_item')).toEqual([
    'm input_tokens usd_per_token {} 0.001',
    'm cache_write_tokens usd_per_token {} 0.002',
    'm output_images usd_per_image {} 0.003',
  ])
})
