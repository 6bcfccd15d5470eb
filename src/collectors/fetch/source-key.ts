import type { SourceDeclaration } from '../../catalog/schema.ts'

/**
 * A source whose seller asks for a key has `options.key`, what stands before the key in the header `Authorization`, such
 * as `Bearer`; or `options.keyHeader`, a header that holds the key alone.
 */
const needsKey = ({ options }: SourceDeclaration): boolean =>
  typeof options.key === 'string' || typeof options.keyHeader === 'string'

/** The header with a source's key, or the sentence that says how to give it one. The key stands in no URL and no log. */
export function keyHeader(
  source: SourceDeclaration,
  keys: Record<string, string> = {},
): { headers?: Record<string, string> } | { problem: string } {
  if (!needsKey(source)) return {}
  const key = Object.hasOwn(keys, source.source) ? keys[source.source] : undefined
  const { keyHeader: header } = source.options
  if (key && typeof header === 'string') return { headers: { [header.toLowerCase()]: key } }
  if (key) return { headers: { authorization: `${source.options.key} ${key}` } }
  return {
    problem: `${source.source} needs a key of its seller: set PRICETAPE_SOURCE_KEYS=${source.source}=KEY (docs/sources.md).`,
  }
}
