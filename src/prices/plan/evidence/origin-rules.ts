/** Lists that are kept by hand and by scripts from other lists too: measured in docs/sources.md. Together they are one origin. */
const COPYING = ['litellm', 'models-dev', 'genai-prices', 'llm-prices']
/** Sellers' own lists. Those lists copy them; they copy none of those. */
const COPIED = [
  'openrouter', 'vercel-ai-gateway', 'huggingface-router', 'deepinfra', 'novita', 'sambanova', 'cerebras', 'chutes',
  'requesty', 'venice', 'ovh-ai-endpoints', 'llm-gateway', 'io-net', 'avian', 'nebius', 'baseten',
] // biome-ignore format: a vocabulary reads best in lines

/** The formats that are not independent witnesses for a source of this format. */
export function familyOf(format: string): string[] {
  if (COPIED.includes(format)) return [format, ...COPYING]
  return COPYING.includes(format) ? COPYING : [format]
}
