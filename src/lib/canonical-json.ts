export type Json = string | number | boolean | null | Json[] | { [key: string]: Json | undefined }

/** JSON with sorted keys and no spaces (RFC 8785's order), so that equal content has one text and one hash. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).filter((entry): entry is [string, Json] => entry[1] !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}
