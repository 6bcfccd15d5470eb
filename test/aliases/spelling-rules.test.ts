import { describe, expect, it } from 'vitest'
import { oneSpelling } from '../../src/aliases/spelling-rules.ts'

describe('a spelling that means the same', () => {
  it.each([
    ['deepseek', 'deepseek-chat-v3-0324', 'deepseek-v3-0324'],
    ['google', 'gemma3-27b-it', 'gemma-3-27b-it'],
    ['meta', 'meta-llama3-8b', 'llama-3-8b'],
    ['meta', 'llama-v3-8b', 'llama-3-8b'],
    ['meta', 'llama-2-13b-chat-hf', 'llama-2-13b-chat'],
    ['meta', 'llama-3-70b-chat-hf', 'llama-3-70b-instruct'],
    ['meta', 'llama-3.3-70b-versatile', 'llama-3.3-70b-instruct'],
    ['meta', 'llama-3.1-8b-instant', 'llama-3.1-8b-instruct'],
    ['meta', 'llama-3.3-70b', 'llama-3.3-70b-instruct'],
    ['meta', 'llama-4-scout', 'llama-4-scout'],
    ['meta', 'llama-4-scout-17b-16e', 'llama-4-scout'],
    ['meta', 'llama-4-maverick-128e-instruct', 'llama-4-maverick'],
    ['mistral', 'mistral-small-24b-instruct-2501', 'mistral-small-2501'],
    ['mistral', 'magistral-medium-1.2-2509', 'magistral-medium-2509'],
    ['mistral', 'open-mistral-nemo-12b-instruct-2407', 'mistral-nemo-2407'],
    ['mistral', 'ministral-3-14b-2512', 'ministral-14b-2512'],
    ['mistral', 'ministral-8b-instruct-2410', 'ministral-8b-2410'],
    ['moonshotai', 'kimi-k2-0905-preview', 'kimi-k2-0905'],
    ['moonshotai', 'kimi-k2-instruct-0905', 'kimi-k2-0905'],
    ['qwen', 'qwen3-coder-30b-a3b', 'qwen-3-coder-30b-a3b-instruct'],
  ])('of %s: %s is %s, and means nothing inside another name', (maker, name, spelled) => {
    expect(oneSpelling(maker, name)).toBe(spelled)
    expect(oneSpelling(maker, `my-${name}`)).toBe(`my-${name}`)
    expect(oneSpelling('another', name)).toBe(name)
  })

  it.each([
    ['meta', 'llama-2-7b-chat-hf-lora'],
    ['meta', 'llama-3-8b-chat-hf-lora'],
    ['meta', 'llama-3.3-70b-versatile-preview'],
    ['meta', 'llama-3.1-8b-instant-preview'],
    ['meta', 'llama-3.3-70b-fast'],
    ['meta', 'llama-4-scout-17b-16e-instruct-fp8'],
    ['mistral', 'mistral-small-3.2-24b-instruct-2506-fp8'],
    ['mistral', 'mistral-nemo-12b-instruct-2407-fp8'],
    ['mistral', 'ministral-3b-instruct-2512-fp8'],
    ['moonshotai', 'kimi-k2-0905-preview-fast'],
    ['moonshotai', 'kimi-k2-instruct-0905-fast'],
    ['qwen', 'qwen-3-coder-30b-a3b-fp8'],
  ])('of %s: a variant at a price of its own stays %s', (maker, variant) => {
    expect(oneSpelling(maker, variant)).toBe(variant)
  })

  it('leaves names of other makers as they are', () => expect(oneSpelling('anthropic', 'Sonnet')).toBe('Sonnet'))
})
