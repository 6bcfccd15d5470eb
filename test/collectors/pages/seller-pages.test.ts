import { describe, expect, it } from 'vitest'
import { canonicalOf } from '../../../src/collectors/reading/canonical-ids.ts'
import { ignored, lines, parseAs, unreadable } from '../support.ts'
import { SELLER_PAGES } from './seller-samples.ts'

const AT = { at: '2026-10-12T00:00:00Z' }
type Format = keyof typeof SELLER_PAGES
const read = (format: Format, date: string) =>
  parseAs(format)((SELLER_PAGES[format] as { [date: string]: string })[date], AT)
/** The lines of some models, without units. */
const of = (format: Format, date: string, models: RegExp) =>
  lines(read(format, date))
    .filter((line) => models.test(line.split(' ')[0]!))
    .map((line) => line.replace(/ usd_per_\w+/, '').replace(' {}', ''))
const models = (format: Format, date: string) => [
  ...new Set(read(format, date).observations.map(({ resource }) => resource)),
]

describe('every recorded shape of a seller’s page', () => {
  const shapes = Object.entries(SELLER_PAGES).flatMap(([format, pages]) =>
    Object.keys(pages).map((date): [Format, string] => [format as Format, date]),
  )
  it.each(shapes)('%s of %s gives valid prices of its seller, under the names of its API', (format, date) => {
    const { providers, observations } = read(format, date)
    expect(providers.map(({ provider }) => provider)).toEqual([format.replace('-page', '')])
    for (const { provider, resource, canonicalResource } of observations)
      expect([resource, canonicalResource]).toEqual([
        expect.stringMatching(/^[@A-Za-z0-9][A-Za-z0-9./-]*$/),
        canonicalOf(provider, resource),
      ])
  })
})

describe('Cohere', () => {
  it('is read from the boxes behind its tabs: by token, search and page, texts and images apart', () => {
    expect(of('cohere-page', '2026-08', /command-r-08|r7b|embed|rerank/)).toEqual([
      'command-r-08-2024 input_tokens 0.00000015', 'command-r-08-2024 output_tokens 0.0000006',
      'command-r7b-12-2024 input_tokens 0.0000000375', 'command-r7b-12-2024 output_tokens 0.00000015',
      'embed-v4.0 input_tokens 0.00000012', 'embed-v4.0 input_image_tokens 0.00000047',
      'rerank-v4.0-fast rerank_queries 0.002', 'rerank-v4.0-pro rerank_queries 0.0025',
    ]) // biome-ignore format: figures
    expect(of('cohere-page', '2026-10', /embed|parse/)).toEqual([
      'embed-v5.0-pro input_tokens 0.00000012',
      'embed-v5.0-fast input_tokens 0.00000008',
      'parse-v5.0 pages 0.0015',
    ])
  })

  it('is read from a sentence where a live model has no box, and takes no free key for a price', () => {
    expect(of('cohere-page', '2026-10', /command(?!-r-08|-r7b)/)).toEqual([
      'command-r-plus-08-2024 input_tokens 0.0000025',
      'command-r-plus-08-2024 output_tokens 0.00001',
    ])
    expect(ignored(read('cohere-page', '2026-10'))).toEqual({
      'a key and a download that cost nothing, which is not what use costs': 2,
    })
  })
})

describe('Groq', () => {
  it('is read with input and output in one cell, speech by the hour and by the character', () => {
    expect(of('groq-page', 'spring of 2026', /70b|120b|whisper|orpheus|qwen/)).toEqual([
      'llama-3.3-70b-versatile input_tokens 0.00000059', 'llama-3.3-70b-versatile output_tokens 0.00000079',
      'openai/gpt-oss-120b input_tokens 0.00000015', 'openai/gpt-oss-120b output_tokens 0.0000006',
      'whisper-large-v3 input_audio_hours 0.111', 'whisper-large-v3-turbo input_audio_hours 0.04',
      'canopylabs/orpheus-v1-english input_characters 0.000022',
      'qwen/qwen3-32b input_tokens 0.00000029', 'qwen/qwen3-32b output_tokens 0.00000059',
    ]) // biome-ignore format: figures
  })

  it('has no price of what is sold by agreement, under a badge before its id', () => {
    expect(models('groq-page', '2026-08').filter((name) => name.startsWith('llama'))).toEqual([])
    expect(ignored(read('groq-page', '2026-10'))).toEqual({ 'a price that is agreed upon with each customer': 3 })
    expect(of('groq-page', '2026-10', /qwen|gpt-oss-20b/)).toEqual([
      'openai/gpt-oss-20b input_tokens 0.000000075', 'openai/gpt-oss-20b output_tokens 0.0000003',
      'qwen/qwen3.8-27b input_tokens 0.0000008', 'qwen/qwen3.8-27b output_tokens 0.000004',
    ]) // biome-ignore format: figures
  })
})

describe('Together', () => {
  it('is read for chat, vision and embedding models, free ones with their zero', () => {
    expect(of('together-page', '2026-03', /M2\.5|GLM|gemma|e5|VL/)).toEqual([
      'MiniMaxAI/MiniMax-M2.5 input_tokens 0.0000003', 'MiniMaxAI/MiniMax-M2.5 cache_read_tokens 0.00000006',
      'MiniMaxAI/MiniMax-M2.5 output_tokens 0.0000012', 'zai-org/GLM-5 input_tokens 0.000001', 'zai-org/GLM-5 output_tokens 0.0000032',
      'google/gemma-2b-it input_tokens 0', 'google/gemma-2b-it output_tokens 0',
      'Qwen/Qwen3-VL-32B-Instruct input_tokens 0.0000005', 'Qwen/Qwen3-VL-32B-Instruct output_tokens 0.0000015',
      'intfloat/multilingual-e5-large-instruct input_tokens 0.00000002',
    ]) // biome-ignore format: figures
    expect(of('together-page', '2026-10', /Kimi|DeepSeek|Bonsai/)).toEqual([
      'moonshotai/Kimi-K3 input_tokens 0.000003', 'moonshotai/Kimi-K3 cache_read_tokens 0.0000003', 'moonshotai/Kimi-K3 output_tokens 0.000015',
      'deepseek-ai/DeepSeek-V4-Pro-0813 input_tokens 0.00000132', 'deepseek-ai/DeepSeek-V4-Pro-0813 cache_read_tokens 0.00000013',
      'deepseek-ai/DeepSeek-V4-Pro-0813 output_tokens 0.00000396',
      'Prism-ML/Ternary-Bonsai-27B input_tokens 0', 'Prism-ML/Ternary-Bonsai-27B output_tokens 0',
    ]) // biome-ignore format: figures
  })

  it('reads a model once that is listed for chat and for vision, and nothing by the picture, video and recording', () => {
    const page = read('together-page', '2026-09')
    expect(page.observations.filter(({ resource }) => resource === 'Qwen/Qwen3.5-9B')).toHaveLength(2)
    expect(ignored(page)).toEqual({
      'prices of image models, which are not by the token of input and output': 1,
      'prices of video models, which are not by the token of input and output': 1,
      'prices of audio models, which are not by the token of input and output': 1,
      'the same price line again': 4,
    })
    expect(models('together-page', '2026-09')).not.toContain('openai/sora-2')
  })
})

describe('Fireworks', () => {
  it('is read with three prices to a cell, for standard and priority, and for faster and US routers under their own ids', () => {
    expect(of('fireworks-page', '2026-09', /kimi-k3$|kimi-k3-fast|glm-5p3-flash-us|glm-5p3-fast/)).toEqual([
      'accounts/fireworks/models/kimi-k3 input_tokens 0.000003', 'accounts/fireworks/models/kimi-k3 cache_read_tokens 0.0000003',
      'accounts/fireworks/models/kimi-k3 output_tokens 0.000015',
      'accounts/fireworks/models/kimi-k3 input_tokens {"service":"priority"} 0.00000375',
      'accounts/fireworks/models/kimi-k3 cache_read_tokens {"service":"priority"} 0.000000375',
      'accounts/fireworks/models/kimi-k3 output_tokens {"service":"priority"} 0.00001875',
      'accounts/fireworks/routers/kimi-k3-fast input_tokens 0.0000045', 'accounts/fireworks/routers/kimi-k3-fast cache_read_tokens 0.00000045',
      'accounts/fireworks/routers/kimi-k3-fast output_tokens 0.0000225',
      'accounts/fireworks/routers/glm-5p3-flash-us input_tokens 0.000000225',
      'accounts/fireworks/routers/glm-5p3-flash-us cache_read_tokens 0.000000045',
      'accounts/fireworks/routers/glm-5p3-flash-us output_tokens 0.00000075',
      'accounts/fireworks/routers/glm-5p3-fast input_tokens 0.0000021', 'accounts/fireworks/routers/glm-5p3-fast cache_read_tokens 0.00000039',
      'accounts/fireworks/routers/glm-5p3-fast output_tokens 0.0000066',
    ]) // biome-ignore format: figures
    expect(models('fireworks-page', '2026-08')).toEqual(
      expect.arrayContaining(['accounts/fireworks/routers/glm-5p2-fast-us', 'accounts/fireworks/routers/kimi-k3-us']),
    )
  })

  it('is the same with a column of another service, and leaves out prices by the size of a model', () => {
    expect(lines(read('fireworks-page', '2026-08 with a column more'))).toEqual(
      lines(read('fireworks-page', '2026-08')),
    )
    expect(ignored(read('fireworks-page', '2026-09'))).toEqual({
      'prices by the size of a model, which name none': 2,
    })
  })
})

describe('Cloudflare', () => {
  it('is read in dollars by the token, for chat, embeddings and others', () => {
    expect(of('cloudflare-page', '2026-08 HTML', /1b-instruct|flash|guard|bge-large|m2m|resnet/)).toEqual([
      '@cf/meta/llama-3.2-1b-instruct input_tokens 0.000000027', '@cf/meta/llama-3.2-1b-instruct output_tokens 0.000000201',
      '@cf/meta/llama-guard-3-8b input_tokens 0.000000484', '@cf/meta/llama-guard-3-8b output_tokens 0.00000003',
      '@cf/deepseek-ai/deepseek-v4-flash-0731 input_tokens 0.00000044',
      '@cf/deepseek-ai/deepseek-v4-flash-0731 cache_read_tokens 0.000000014',
      '@cf/deepseek-ai/deepseek-v4-flash-0731 output_tokens 0.00000132',
      '@cf/baai/bge-large-en-v1.5 input_tokens 0.000000204',
      '@cf/meta/m2m100-1.2b input_tokens 0.000000342', '@cf/meta/m2m100-1.2b output_tokens 0.000000342',
      '@cf/microsoft/resnet-50 input_images 0.00000251',
    ]) // biome-ignore format: figures
  })

  it('is read alike where a clipping has no line breaks, and lists what it prices otherwise without a price', () => {
    const common = (date: string) => of('cloudflare-page', date, /llama|kimi|bge|m2m/)
    expect(new Set(common('2026-07'))).toEqual(new Set(common('2026-08 HTML')))
    expect(unreadable(read('cloudflare-page', '2025'))).toEqual([
      '@cf/black-forest-labs/flux-1-schnell input_tokens {} = "$0.0000528 per 512x512 tile $0.0001056 per step"',
      '@cf/openai/whisper input_tokens {} = "$0.0005 per audio minute"',
    ])
  })
})

describe('Writer', () => {
  it('is read for what has an id, and not for an app, tools and models that are no longer sold', () => {
    const page = read('writer-page', 'mid-2026')
    expect(of('writer-page', 'mid-2026', /./)).toEqual([
      'palmyra-x5 input_tokens 0.0000006', 'palmyra-x5 output_tokens 0.000006',
      'palmyra-x4 input_tokens 0.0000025', 'palmyra-x4 output_tokens 0.00001',
      'palmyra-x-003-instruct input_tokens 0.0000075', 'palmyra-x-003-instruct output_tokens 0.0000225',
      'palmyra-med input_tokens 0.000005', 'palmyra-med output_tokens 0.000012',
    ]) // biome-ignore format: figures
    expect(ignored(page)).toEqual({
      'prices of an app, which name no model': 1,
      'prices by the picture and by the second, of a model without an id': 1,
      'prices of tools, which are not models': 3,
      'prices of models that are no longer sold': 1,
    })
    expect(lines(read('writer-page', 'early 2026'))).toEqual(lines(page))
  })
})
