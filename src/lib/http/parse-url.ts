/**
 * Returns the URL that a text is; undefined where it is none. `URL.canParse` cannot be asked: once it is compiled, Node 20
 * refuses addresses with letters such as `ü`.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
