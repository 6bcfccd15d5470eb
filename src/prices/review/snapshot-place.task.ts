const MAX_EXCERPT = 400

/** Returns the text of a snapshot around a location: the object a JSON Pointer leads into, or the line of a table. */
export function snapshotPlace({ bytes, locator }: { bytes: Uint8Array; locator: string }): string | undefined {
  const text = new TextDecoder().decode(bytes)
  const line = /^line (\d+)/.exec(locator)?.[1]
  if (line)
    return [text.split(/\r?\n/, 1)[0], text.split(/\r?\n/)[Number(line) - 1]].join('\n').slice(0, 2 * MAX_EXCERPT)
  return locator.startsWith('/') ? around(text, locator) : undefined
}

function around(text: string, locator: string): string | undefined {
  const steps = locator
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  let at: unknown
  try {
    at = JSON.parse(text)
  } catch {
    return undefined
  }
  for (const step of steps.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Record<string, unknown>)[step]
  }
  const found = JSON.stringify(at)
  return found === undefined ? undefined : found.slice(0, MAX_EXCERPT)
}
