import type { ReadText } from '../../normalize/normal-form-rules.ts'

/** The regions that documents are written for, as their titles and first paragraphs name them. */
const REGIONS: Record<string, RegExp> = {
  europe: /\b(?:european economic area|eea|european union|switzerland)\b/,
  'united kingdom': /\b(?:united kingdom|england and wales)\b/,
  'united states': /\b(?:united states|u\.s\.|california|delaware)\b/,
  'rest of the world': /\b(?:rest of (?:the )?world|outside (?:of )?the (?:eea|european|united states))\b/,
}
/** A company and the form that its country gives it. */
const COMPANY =
  /\b\p{Lu}[\p{L}&.-]*(?: \p{Lu}[\p{L}&.-]*){0,3},? (Inc|LLC|L\.L\.C|Ltd|Limited|GmbH|AG|SAS|SARL|B\.?V|S\.?A|S\.?L|S\.?r\.?l|K\.?K|Pty|Pte|OpCo)\b/gu
const SPELLINGS: [british: RegExp, american: RegExp] = [
  /\b\p{L}{3,}(?:isation|ise[ds]?|our|ising)\b|\blicence\b/giu,
  /\b\p{L}{3,}(?:ization|ize[ds]?|izing)\b|\b(?:color|favor|behavior|honor)\b/giu,
]
/** Of the signs of another region, this many have to differ. */
const SIGNS_OF_REGION = 2
const FIRST_BLOCKS = 12

/**
 * Returns whether the same page seems to be served for another region: of its company, its currency, the region its
 * first paragraphs name, and its spelling, at least two are others.
 */
export function forAnotherRegion(before: ReadText, after: ReadText): boolean {
  const [a, b] = [signsOf(before), signsOf(after)]
  const differs = a.filter((sign, i) => sign !== undefined && b[i] !== undefined && sign !== b[i])
  return differs.length >= SIGNS_OF_REGION
}

const signsOf = (text: ReadText): (string | undefined)[] =>
  [companyOf, currencyOf, regionOf, spellingOf].map((signOf) => signOf(text))

const textOf = ({ blocks }: ReadText, count = blocks.length) =>
  blocks
    .slice(0, count)
    .map((block) => block.text)
    .join('\n')

const mostFrequent = (found: string[]): string | undefined => {
  const counts = new Map<string, number>()
  for (const name of found) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0]
}

const companyOf = (text: ReadText) =>
  mostFrequent([...textOf(text).matchAll(COMPANY)].map((match) => match[0].replace(/,/g, '')))

const currencyOf = (text: ReadText) => mostFrequent(textOf(text).match(/[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY)\b/gu) ?? [])

function regionOf(text: ReadText): string | undefined {
  const first = textOf(text, FIRST_BLOCKS).toLowerCase()
  const named = Object.keys(REGIONS).filter((region) => REGIONS[region]!.test(first))
  return named.length === 0 ? undefined : named.join(', ')
}

function spellingOf(text: ReadText): string | undefined {
  const [british, american] = SPELLINGS.map((spelling) => (textOf(text).match(spelling) ?? []).length)
  if (british! + american! < 6) return undefined
  return british! > american! * 3 ? 'british' : american! > british! * 3 ? 'american' : undefined
}
