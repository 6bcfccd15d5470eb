import type { ItemLine } from '../../../../api/operator.ts'

/** From this many prices on, what is known about each is shown on request. */
export const COMPACT_FROM = 5

type Line = Pick<ItemLine, 'resource' | 'perUnit' | 'reasons' | 'facts' | 'price' | 'publishedPrice' | 'change'>

/** Returns what holds of every price and is shown once: its sentences, the unit, the resource. */
export function sharedOf(lines: Line[]): { sentences: string[]; perUnit?: string; resource?: string } {
  const [first, ...others] = lines
  if (!first) return { sentences: [] }
  const isOfAll = (sentence: string) => others.every(({ reasons, facts }) => [...reasons, ...facts].includes(sentence))
  // The reasons that all share are beside the title.
  const sentences = others.length === 0 ? [] : first.facts.filter(isOfAll)
  return {
    sentences,
    ...(lines.every(({ perUnit }) => perUnit === first.perUnit) && { perUnit: first.perUnit }),
    ...(lines.every(({ resource }) => resource === first.resource) && { resource: first.resource }),
  }
}

/** Returns what is said of one price alone. Reasons that all share are beside the title. */
export function ownSentences({ reasons, facts }: Line, lines: Line[], shared: string[]): string[] {
  const isAlike = lines.every((other) => other.reasons.join() === lines[0]!.reasons.join())
  return [...(isAlike ? [] : reasons), ...facts.filter((fact) => !shared.includes(fact))]
}

/** `500 prices of 250 resources. 498 changes: +270% to +271%. 2 new prices.` */
export function summaryOf(lines: Line[]): string {
  const resources = new Set(lines.map(({ resource }) => resource)).size
  const changed = lines.filter(({ publishedPrice }) => publishedPrice !== undefined)
  const sorted = changed
    .filter(({ change }) => change !== undefined)
    .toSorted((a, b) => ratioOf(a) - ratioOf(b))
    .map(({ change }) => change!)
  const [least, most] = [sorted[0], sorted.at(-1)]
  const range = least === undefined ? '' : `: ${least === most ? least : `${least} to ${most}`}`
  const added = lines.length - changed.length
  return [
    `${counted(lines.length, 'price')} of ${counted(resources, 'resource')}.`,
    changed.length > 0 && `${counted(changed.length, 'change')}${range}.`,
    added > 0 && `${counted(added, 'new price')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** For the order of changes alone. */
const ratioOf = ({ price, publishedPrice }: Line): number => Number(price) / Number(publishedPrice)

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
