import { describe, expect, it } from 'vitest'
import { modelName } from '../../src/aliases/model-name-rules.ts'
import { type Proposal, proposals } from '../../src/aliases/proposal-rules.ts'
import { canonicalOf } from '../../src/collectors/reading/canonical-ids.ts'

const _source = { source: 'list', format: 'curated', intervalSeconds: 3600, primary: true, options: {} }
const named = (provider: string, resource: string) => {
  const canonical = canonicalOf(provider, resource)
  return { provider, resource, canonicalResources: canonical ? [canonical] : [] }
}
const membersOf = (proposal: Proposal | undefined) =>
  proposal?.members.map(({ provider, resource }) => `${provider}: ${resource}`)
const keyOf = (provider: string, resource: string) => modelName(named(provider, resource))?.key

describe('what a name means', () => {
  it.each([
    [
      ['anthropic', 'claude-sonnet-4-0'],
      ['google', 'claude-4-sonnet'],
    ],
    [
      ['anthropic', 'claude-sonnet-4-0'],
      ['aws', 'us.anthropic.claude-sonnet-4-20250514-v1:0'],
    ],
    [
      ['openrouter', 'anthropic/claude-3.5-haiku'],
      ['anthropic', 'claude-3-5-haiku-latest'],
    ],
    [
      ['aws', 'deepseek.r1-v1:0'],
      ['novita', 'deepseek/deepseek-r1'],
    ],
    [
      ['fireworks', 'deepseek-v3p2'],
      ['deepseek', 'deepseek-v3.2'],
    ],
    [
      ['aws', 'openai.gpt-oss-120b-1:0'],
      ['groq', 'openai/gpt-oss-120b'],
    ],
    [
      ['aws', 'mistral.mistral-7b-instruct-v0:2'],
      ['together', 'mistralai/Mistral-7B-Instruct-v0.2'],
    ],
    [
      ['ovhcloud', 'Meta-Llama-3_3-70B-Instruct'],
      ['novita', 'meta-llama/llama-3.3-70b-instruct'],
    ],
    [
      ['novita', 'gryphe/mythomax-l2-13b'],
      ['together', 'Gryphe/MythoMax-L2-13B'],
    ],
    [
      ['mistral', 'mistral-large-2512'],
      ['openrouter', 'mistralai/mistral-large-2512'],
    ],
    [
      ['aws', 'meta.llama3-3-70b-instruct-v1:0'],
      ['novita', 'meta-llama/llama-3.3-70b-instruct'],
    ],
    [
      ['groq', 'llama-3.3-70b-versatile'],
      ['huggingface_nebius', 'meta-llama/Llama-3.3-70B-Instruct'],
    ],
    [
      ['cerebras', 'llama-3.3-70b'],
      ['fireworks', 'llama-v3p3-70b-instruct'],
    ],
    [
      ['groq', 'llama-3.1-8b-instant'],
      ['aws', 'meta.llama3-1-8b-instruct-v1:0'],
    ],
    [
      ['together', 'meta-llama/Llama-3-70b-chat-hf'],
      ['openrouter', 'meta-llama/llama-3-70b-instruct'],
    ],
    [
      ['aws', 'meta.llama4-scout-17b-instruct-v1:0'],
      ['openrouter', 'meta-llama/llama-4-scout'],
    ],
    [
      ['groq', 'meta-llama/llama-4-maverick-17b-128e-instruct'],
      ['openrouter', 'meta-llama/llama-4-maverick'],
    ],
    [
      ['cerebras', 'qwen-3-32b'],
      ['aws', 'qwen.qwen3-32b-v1:0'],
    ],
    [
      ['openrouter', 'qwen/qwen-2.5-coder-32b-instruct'],
      ['huggingface_nscale', 'Qwen/Qwen2.5-Coder-32B-Instruct'],
    ],
    [
      ['aws', 'qwen.qwen3-coder-480b-a35b-v1:0'],
      ['huggingface_together', 'Qwen/Qwen3-Coder-480B-A35B-Instruct'],
    ],
    [
      ['openrouter', 'deepseek/deepseek-chat-v3-0324'],
      ['fireworks', 'deepseek-v3-0324'],
    ],
    [
      ['moonshotai', 'kimi-k2-0905-preview'],
      ['huggingface_novita', 'moonshotai/Kimi-K2-Instruct-0905'],
    ],
    [
      ['groq', 'gemma2-9b-it'],
      ['novita', 'google/gemma-2-9b-it'],
    ],
    [
      ['mistral', 'mistral-small-2506'],
      ['ovhcloud', 'Mistral-Small-3.2-24B-Instruct-2506'],
    ],
    [
      ['mistral', 'mistral-medium-3-1-2508'],
      ['mistral', 'mistral-medium-2508'],
    ],
    [
      ['mistral', 'mistral-large-2512'],
      ['nano-gpt', 'mistralai/mistral-large-3-675b-instruct-2512'],
    ],
    [
      ['mistral', 'devstral-2512'],
      ['scaleway', 'devstral-2-123b-instruct-2512'],
    ],
    [
      ['mistral', 'open-mistral-nemo-2407'],
      ['nano-gpt', 'Mistral-Nemo-12B-Instruct-2407'],
    ],
    [
      ['mistral', 'ministral-3b-2512'],
      ['fireworks', 'accounts/fireworks/models/ministral-3-3b-instruct-2512'],
    ],
    [
      ['databricks', 'databricks-meta-llama-3-3-70b-instruct'],
      ['google-vertex', 'meta/llama-3.3-70b-instruct-maas'],
    ],
  ])('is the same for %s and %s', ([a, x], [b, y]) => {
    expect(keyOf(a!, x!)).toBeDefined()
    expect(keyOf(a!, x!)).toBe(keyOf(b!, y!))
  })

  it.each([
    [
      ['together', 'meta-llama/Llama-3.3-70B-Instruct-Turbo'],
      ['novita', 'meta-llama/llama-3.3-70b-instruct'],
    ],
    [
      ['cloudflare', '@cf/meta/llama-3.3-70b-instruct-fp8-fast'],
      ['novita', 'meta-llama/llama-3.3-70b-instruct'],
    ],
    [
      ['groq', 'llama-3.3-70b-specdec'],
      ['groq', 'llama-3.3-70b-versatile'],
    ],
    [
      ['openrouter', 'meta-llama/llama-3.1-405b'],
      ['openrouter', 'meta-llama/llama-3.1-405b-instruct'],
    ],
    [
      ['together', 'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8'],
      ['openrouter', 'meta-llama/llama-4-maverick'],
    ],
    [
      ['openrouter', 'meta-llama/llama-4-scout'],
      ['openrouter', 'meta-llama/llama-4-maverick'],
    ],
    [
      ['together', 'Qwen/Qwen1.5-7B'],
      ['openrouter', 'qwen/qwen-2.5-7b-instruct'],
    ],
    [
      ['openai', 'gpt-4o'],
      ['openai', 'gpt-4o-mini'],
    ],
    [
      ['xai', 'grok-4'],
      ['xai', 'grok-4-fast'],
    ],
    [
      ['anthropic', 'claude-opus-4-8'],
      ['openrouter', 'anthropic/claude-opus-4.8-fast'],
    ],
    [
      ['together', 'mistralai/Mixtral-8x7B-v0.1'],
      ['together', 'mistralai/Mixtral-8x7B-Instruct-v0.1'],
    ],
    [
      ['mistral', 'ministral-3b-2512'],
      ['mistral', 'ministral-8b-2512'],
    ],
    [
      ['mistral', 'devstral-2512'],
      ['mistral', 'devstral-small-2512'],
    ],
    [
      ['fireworks', 'mistral-nemo-base-2407'],
      ['mistral', 'open-mistral-nemo-2407'],
    ],
    [
      ['aws', 'mistral.mistral-7b-instruct-v0:2'],
      ['novita', 'mistralai/mistral-7b-instruct'],
    ],
    [
      ['anthropic', 'claude-3-5-sonnet'],
      ['anthropic', 'claude-3-7-sonnet'],
    ],
  ])('differs for %s and %s', ([a, x], [b, y]) => {
    expect(keyOf(a!, x!)).not.toBe(keyOf(b!, y!))
  })

  it.each([
    ['a free or extended variant, which has a price of its own', 'openrouter', 'openai/gpt-4o:extended'],
    ['a fine-tuned model', 'openai', 'ft:gpt-4o'],
    ['a pointer that every seller moves at its own time', 'deepseek', 'deepseek-chat'],
    ['a bare name no one knows the maker of', 'openrouter', 'toppy-m-7b'],
  ])('is not certain for %s', (_what, provider, resource) => {
    expect(keyOf(provider, resource)).toBeUndefined()
  })

  it('is not certain where sources disagree about the maker', () => {
    expect(modelName({ provider: 'a', resource: 'm-1', canonicalResources: ['x/m-1', 'y/m-1'] })).toBeUndefined()
  })
})

describe('proposed groups', () => {
  const propose = (...resources: [string, string][]) =>
    proposals(
      resources.map(([p, r]) => named(p, r)),
      [],
    )

  it('need two providers', () => {
    expect(propose(['openrouter', 'claude-2'], ['openrouter', 'anthropic/claude-2'])).toEqual([])
    expect(propose(['anthropic', 'claude-2'], ['openrouter', 'anthropic/claude-2'])).toHaveLength(1)
  })

  it('join a dated name where it is the only version and no one sells both', () => {
    const [proposal, ...others] = propose(['openai', 'o3'], ['azure', 'o3-2025-04-16'])
    expect([proposal?.name, membersOf(proposal), others]).toEqual(['o3', ['openai: o3', 'azure: o3-2025-04-16'], []])
  })

  it('keep dated names apart where a provider sells both, or there are several', () => {
    const both = propose(
      ['openai', 'gpt-4o'],
      ['openai', 'gpt-4o-2024-05-13'],
      ['openrouter', 'openai/gpt-4o'],
      ['openrouter', 'openai/gpt-4o-2024-05-13'],
    )
    expect(both.map((item) => item.name)).toEqual(['gpt-4o', 'gpt-4o-20240513'])
    const several = propose(
      ['anthropic', 'claude-3-5-sonnet'],
      ['google', 'claude-3-5-sonnet'],
      ['aws', 'us.anthropic.claude-3-5-sonnet-20240620-v1:0'],
      ['azure', 'claude-3-5-sonnet-20241022'],
    )
    expect(several.map(membersOf)).toEqual([['anthropic: claude-3-5-sonnet', 'google: claude-3-5-sonnet']])
  })

  it('keep the dates of one family of Mistral apart', () => {
    const found = propose(
      ['mistral', 'mistral-small-2503'],
      ['mistral', 'mistral-small-2506'],
      ['watsonx', 'mistralai/mistral-small-3-1-24b-instruct-2503'],
      ['ovhcloud', 'Mistral-Small-3.2-24B-Instruct-2506'],
    )
    expect(found.map(({ name, members }) => [name, members.map(({ provider }) => provider)])).toEqual([
      ['mistral-small-2503', ['mistral', 'watsonx']],
      ['mistral-small-2506', ['mistral', 'ovhcloud']],
    ])
  })

  it('never join a short date to the undated name: it is another version', () => {
    expect(propose(['deepseek', 'deepseek-r1'], ['fireworks', 'deepseek-r1-0528'])).toEqual([])
  })
})
