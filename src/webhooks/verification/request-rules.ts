/** A request as a receiver got it, pasted by a person. */
export type PastedRequest = { headers: string; body: string }
/** The three headers that a verification needs; absent where they were not found. */
type SignatureHeaders = { id?: string; timestamp?: string; signature?: string }

const NAMES = { id: ['webhook-id', 'svix-id'], timestamp: ['webhook-timestamp', 'svix-timestamp'] } as const
const SIGNATURE = ['webhook-signature', 'svix-signature']

/**
 * Reads headers as people paste them: as they are sent, as options of curl, or as JSON. Names are compared without
 * regard to capitals; a log may have written `-` as `_` and put `HTTP_` before it.
 */
export function readHeaders(text: string): SignatureHeaders {
  const found = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const match = /^[\s'"{,]*(?:-H\s+|--header\s+)?['"]?([A-Za-z][\w-]*)['"]?\s*[:=]/.exec(line)
    if (!match) continue
    const name = match[1]!
      .toLowerCase()
      .replace(/^http_/, '')
      .replaceAll('_', '-')
    const value = withoutContinuation(line.slice(match[0].length).trim())
      .replace(/,$/, '')
      .replace(/^\[?['"]/, '')
      .replace(/['"]\]?$/, '')
    if (!found.has(name)) found.set(name, value.trim())
  }
  const first = (names: readonly string[]) => names.map((name) => found.get(name)).find((value) => value)
  const headers = { id: first(NAMES.id), timestamp: first(NAMES.timestamp), signature: first(SIGNATURE) }
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
}

/** Without the backslash at the end of a line that goes on, and the space before it. */
const withoutContinuation = (line: string): string => (line.endsWith('\\') ? line.slice(0, -1).trimEnd() : line)
