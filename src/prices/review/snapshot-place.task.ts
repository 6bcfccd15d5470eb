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
  if (found === undefined || found.length <= MAX_EXCERPT) return found
  return nearby(at as object, steps.at(-1)!)
}

/** So many entries before and after the one of the price, each cut to so many characters. */
const ENTRIES_BESIDE = 4
const MAX_ENTRY = 60

/** Returns the entry of an object that a price was read from, with those beside it. */
function nearby(holder: object, name: string): string {
  const entries = Object.entries(holder)
  const index = entries.findIndex(([key]) => key === name)
  const first = Math.max(index - ENTRIES_BESIDE, 0)
  const end = index + ENTRIES_BESIDE + 1
  const shown = entries.slice(first, end).map(([key, value]) => {
    const text = `${JSON.stringify(key)}:${JSON.stringify(value)}`
    return text.length > MAX_ENTRY && key !== name ? `${text.slice(0, MAX_ENTRY)}…` : text.slice(0, MAX_EXCERPT)
  })
  return [...(first > 0 ? ['…'] : []), ...shown, ...(end < entries.length ? ['…'] : [])].join(', ')
}
