/**
 * Spellings that sellers give one model, by maker: only where a name can mean nothing else. Variants that sell at prices
 * of their own stay apart: Turbo, FP8, fast, lite, speculative decoding, previews.
 */
const SAME: Record<string, [RegExp, string][]> = {
  deepseek: [[/^deepseek-chat-v(?=\d)/, 'deepseek-v']],
  google: [[/^gemma(?=\d)/, 'gemma-']],
  meta: [
    [/^(meta-)?llama(-v|-)?(?=\d)/, 'llama-'],
    [/^(llama-2-\d+b-chat)-hf$/, '$1'],
    // Llama 3 has no other chat model.
    [/^(llama-3-\d+b)-chat-hf$/, '$1-instruct'],
    // Groq's names of the instruct models: Hugging Face lists its 3.3 under the weights' own name, at the same price.
    [/^(llama-3[._p-][13]-70b)-versatile$/, '$1-instruct'],
    [/^(llama-3[._p-]1-8b)-instant$/, '$1-instruct'],
    // Of 3.3 there is no other, and of 4 no seller has another.
    [/^(llama-3[._p-]3-70b)$/, '$1-instruct'],
    [/^llama-4-(scout|maverick)(-17b)?(-(16|128)e)?(-instruct)?$/, 'llama-4-$1'],
  ],
  // A date says which model of a family it is: its version and size, where there is one size alone, say nothing more.
  mistral: [
    [
      /^(mistral-(?:small|medium|large)|magistral-(?:small|medium)|devstral(?:-small|-medium)?)(?:-[1-9](?:[-.]\d)?)?(?:-\d+b)?(?:-instruct)?(?=-\d{4}$)/,
      '$1',
    ],
    [/^(?:open-)?(mistral-nemo)(?:-12b)?(?:-instruct)?(?=-\d{4}$)/, '$1'],
    [/^(ministral)(?:-3)?(-\d+b)(?:-instruct)?(?=-\d{4}$)/, '$1$2'],
  ],
  moonshotai: [
    [/^(kimi-k2-\d{4})-preview$/, '$1'],
    [/^kimi-k2-instruct-(?=\d{4}$)/, 'kimi-k2-'],
  ],
  qwen: [
    [/^qwen-?(?=\d)/, 'qwen-'],
    // Qwen3 Coder exists as instruct alone.
    [/^(qwen-3-coder-(30b-a3b|480b-a35b))$/, '$1-instruct'],
  ],
}

/** A maker's name for a model, in one of the spellings that mean the same. */
export const oneSpelling = (maker: string, name: string): string =>
  (SAME[maker] ?? []).reduce((spelled, [pattern, instead]) => spelled.replace(pattern, instead), name)
