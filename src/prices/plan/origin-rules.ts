/** Lists that are kept by hand and by scripts from other lists too: measured in docs/sources.md. Together they are one origin. */
const COPYING = ['litellm', 'models-dev', 'genai-prices', 'llm-prices']
/** A seller's own list. Those lists copy it; it copies none of them. */
const COPIED = ['openrouter']

/** The formats that are no independent witness for a source of this format. */
export function familyOf(format: string): string[] {
  if (COPIED.includes(format)) return [...COPIED, ...COPYING]
  return COPYING.includes(format) ? COPYING : [format]
}
