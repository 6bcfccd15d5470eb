import type { SeriesRow } from '../../api/prices.ts'
import { shownPrice } from './money.ts'

type Confirmation = Omit<NonNullable<SeriesRow['confirmation']>, 'confirmedAt'>

/** Returns who confirmed a price, for an instant to follow, and a sentence for each side that its sources take. */
export function confirmationTexts(
  { contradictedSince, confirmedBy }: Confirmation,
  places: number,
): { said: string; sources: string } {
  const { agree = [], disagree = [] } = confirmedBy ?? {}
  const shown = disagree.map(({ source, price, held }) => {
    if (held) return `${source} has another price, which waits for review`
    return price === undefined ? `${source} does not list it` : `${source} has ${shownPrice(price, places)}`
  })
  const same = agree.length > 0 ? `Same price in ${agree.map(({ source }) => source).join(', ')}.` : ''
  const sources = [same, ...(shown.length > 0 ? [`${shown.join(', ')}.`] : [])].filter(Boolean).join(' ')
  if (contradictedSince !== undefined) return { said: 'Contradicted', sources }
  if (agree.some(({ rank }) => rank === 'provider')) return { said: 'Confirmed by the provider', sources }
  if (agree.length > 1) return { said: `Same price in ${agree.length} sources, read`, sources }
  if (agree.length === 1)
    return {
      said: agree[0]!.rank === 'verified' ? 'Verified at the provider, read' : 'Read in a list, not confirmed,',
      sources,
    }
  return { said: 'No longer confirmed, last read', sources }
}
