import { describe, expect, it } from 'vitest'
import { modelName } from '../../src/aliases/model-name-rules.ts'

const named = (resource: string, ...canonicalResources: string[]) =>
  modelName({ provider: 'seller', resource, canonicalResources })

describe('a model by its name', () => {
  it.each([
    ['gpt-4-20250114', 'openai/gpt-4-20250114', 'openai/gpt-4', 'gpt-4', { kind: 'day', text: '20250114' }],
    ['gpt@2025-01-14', 'openai/gpt@2025-01-14', 'openai/gpt', 'gpt', { kind: 'day', text: '2025-01-14' }],
    ['gpt-4-1106', 'openai/gpt-4-1106', 'openai/gpt-4', 'gpt-4', { kind: 'short', text: '1106' }],
    ['gpt-4-2506', 'openai/gpt-4-2506', 'openai/gpt-4', 'gpt-4', { kind: 'short', text: '2506' }],
    ['gpt-12-latest', 'openai/gpt-12-latest', 'openai/gpt-12', 'gpt-12', { kind: 'latest', text: 'latest' }],
    ['4.5-latest', 'acme/4.5-latest', 'acme/4-5', '4.5', { kind: 'latest', text: 'latest' }],
    ['gemini-2', 'google/gemini-2', 'google/gemini-2', 'gemini-2', undefined],
    ['gpt-4-0125-preview', 'openai/gpt-4-0125-preview', 'openai/gpt-4-0125-preview', 'gpt-4-0125-preview', undefined],
    ['gpt-4-20250114-x', 'openai/gpt-4-20250114-x', 'openai/gpt-4-20250114-x', 'gpt-4-20250114-x', undefined],
    ['gpt-4-latest-x', 'openai/gpt-4-latest-x', 'openai/gpt-4-latest-x', 'gpt-4-latest-x', undefined],
    ['claude', 'anthropic/claude-4-h3-sonnet', 'anthropic/claude-h3-sonnet-4', 'claude-4-h3-sonnet', undefined],
  ])('%s is %s', (resource, canonical, key, base, stamp) => {
    expect(named(resource, canonical)).toEqual({ maker: canonical.split('/')[0], key, base, ...(stamp && { stamp }) })
  })

  it.each([
    ['llama3-8b', 'meta/llama3-8b', 'llama3-8b'],
    ['its own stamp', 'mistral/mistral-small-3.2-24b-instruct-2506', 'mistral-small-3.2-24b-instruct'],
    ['a stamp that another spelling shows', 'moonshotai/kimi-k2-0905-preview', 'kimi-k2'],
  ])('keeps its spelling without the stamp: %s', (name, canonical, base) => {
    expect(named(name, canonical)?.base).toBe(base)
  })

  it.each([
    ['a.b-4-v1:0', 'a/b-4-v1', 'a/b-4'],
    ['a.b-4-v12:10', 'a/b-4-v12', 'a/b-4'],
    ['a.b-4-v1:0-x', 'a/b-4-v1', 'a/b-4-v1'],
    ['a.b-4-v0:12', 'a/b-4', 'a/b-4-v0-12'],
    ['a.b-4-v0:2-x', 'a/b-4', 'a/b-4'],
  ])('%s ends in a revision of Bedrock, or in a version of the weights', (resource, canonical, key) => {
    expect(named(resource, canonical)?.key).toBe(key)
  })

  it.each([
    ['llama-v3p3-8b', 'meta/llama-3-3-8b'],
    ['gemma2-9b', 'google/gemma-2-9b'],
    ['org/model-2', 'org/model-2'],
    ['my-llama-v3-8b', undefined],
    ['llama-vision', undefined],
    ['my-gemma2-9b', undefined],
  ])('whose maker no source knows: %s', (resource, key) => expect(named(resource)?.key).toBe(key))

  it.each([
    ['ft:gpt-4', false],
    ['gpt-4:free', false],
    ['gpt-4.ft-7', false],
    ['draft:4', true],
    ['gpt:v4', true],
  ])('%s is offered under a service of its own, or not', (resource, isModel) => {
    expect(named(resource, 'openai/gpt-4') !== undefined).toBe(isModel)
  })
})
