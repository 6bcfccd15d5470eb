import type { SourceDeclaration } from '../../catalog/schema.ts'

/** A source whose seller asks for a key has `options.key`: what stands before the key in the header, such as `Bearer`. */
const needsKey = (source: SourceDeclaration): boolean => typeof source.options.key === 'string'

/** The header with a source's key, or the sentence that says how to give it one. The key stands in no URL and no log. */
export function keyHeader(
  source: SourceDeclaration,
  keys: Record<string, string> = {},
): { headers?: Record<string, string> } | { problem: string } {
  if (!needsKey(source)) return {}
  const key = Object.hasOwn(keys, source.source) ? keys[source.source] : undefined
  if (key) return { headers: { authorization: `${source.options.key} ${key}` } }
  return {
    problem: `${source.source} needs a key of its seller: set PRICETAPE_SOURCE_KEYS=${source.source}=KEY (docs/sources.md).`,
  }
}
