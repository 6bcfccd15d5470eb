/** What a price is for: 10^decimalShift of a unit. */
export type Per = { unit: Unit; decimalShift: number }
export type Unit =
  | 'token' | 'token_hour' | 'image' | 'second' | 'minute' | 'hour' | 'page' | 'character' | 'request' | 'search' | 'other' // biome-ignore format: a vocabulary

export const PER_MILLION_TOKENS: Per = { unit: 'token', decimalShift: 6 }

/** How pages write what a price is for; digits behind `MTok` are a footnote mark. */
const UNITS: [RegExp, Per][] = [
  [/^1,000,000 tokens per hour(?: \(storage price\))?/, { unit: 'token_hour', decimalShift: 6 }],
  [/^(?:1 ?)?m ?tok\d{0,2}\b|^(?:1 ?)?m(?:illion)? tokens\b|^1,000,000 tokens\b/, { unit: 'token', decimalShift: 6 }],
  [/^(?:1 ?)?k ?tok\b|^(?:1 ?)?k tokens\b|^1,?000 tokens\b/, { unit: 'token', decimalShift: 3 }],
  [/^tokens?\b/, { unit: 'token', decimalShift: 0 }],
  [/^(?:1 ?)?m char(?:acter)?s?\b|^1,000,000 characters\b/, { unit: 'character', decimalShift: 6 }],
  [/^1,?000 pages\b|^1k pages\b/, { unit: 'page', decimalShift: 3 }],
  [/^page\b/, { unit: 'page', decimalShift: 0 }],
  [/^(?:1,?000|1k) (?:calls|requests)\b/, { unit: 'request', decimalShift: 3 }],
  [/^(?:1,?000|1k) (?:searches|search queries|queries)\b/, { unit: 'search', decimalShift: 3 }],
  [/^(?:image|img)s?\b/, { unit: 'image', decimalShift: 0 }],
  [/^sec(?:ond)?\b/, { unit: 'second', decimalShift: 0 }],
  [/^min(?:ute)?\b/, { unit: 'minute', decimalShift: 0 }],
  [/^h(?:ou)?r\b/, { unit: 'hour', decimalShift: 0 }],
  // A price of pictures of one size only, of a frame, of a song: never taken for a unit of ours.
  [/^(?:[\d.]+k(?:\/[\d.]+k)? (?:resolution )?image|\d+s audio|frame|song|video|text input|call|use|request)s?\b/, { unit: 'other', decimalShift: 0 }],
] // biome-ignore format: a table

/** Takes what a price is for from the beginning of a text. Undefined where it says so and the unit is unknown. */
export function takeUnit(text: string): { per?: Per; rest: string } | undefined {
  const [matched] = /^\s*(?:\/|per\b)\s*/i.exec(text) ?? []
  if (!matched) return { rest: text }
  const said = text.slice(matched.length)
  for (const [pattern, per] of UNITS) {
    const [unit] = pattern.exec(said.toLowerCase()) ?? []
    if (unit) return { per, rest: said.slice(unit.length) }
  }
  return undefined
}

/** What a text says that prices are for: `Prices per 1M tokens`, `1M tokens`. */
export function perOf(text: string): Per | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^(?:prices? )?(?:per|\/)\s*/, '')
  return UNITS.find(([pattern]) => pattern.exec(said)?.[0] === said)?.[1]
}
