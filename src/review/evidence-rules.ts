import { parseDecimal } from '../lib/decimal.ts'
import type { Evidence, Range, Standing } from '../prices/plan/evidence-schema.ts'

const FIT = {
  fits: 'is near what other sellers charge',
  plausible: 'is plausible',
  misfits: 'is implausible',
}
const MISFIT = {
  limits: 'it is outside the limits of its dimension',
  sellers: 'it is far from what other sellers charge',
  input: 'it is out of proportion to the input price',
}

/** Returns what is known about a held price, one sentence per line. */
export function describeEvidence(reasons: string[], evidence: Evidence | undefined, standing?: Standing): string[] {
  const listed =
    standing && `Listed in ${plural(standing.fetches, 'good fetch', 'good fetches')} since ${standing.since}.`
  const known = evidence ? evidenceLines(evidence) : []
  return [`Held for ${reasons.join(', ')}.`, ...(listed ? [listed] : []), ...known]
}

function evidenceLines(evidence: Evidence): string[] {
  const { before, after, fitBefore, fitAfter, misfit, sellers, provider, toInput, witnesses = [] } = evidence
  return [
    ...(before !== undefined && fitBefore ? [`The published price ${before} ${FIT[fitBefore]}.`] : []),
    `The proposed price ${after} ${FIT[fitAfter]}${misfit ? `: ${MISFIT[misfit]}` : ''}.`,
    ...(sellers ? [`${plural(sellers.count, 'other seller')}: ${shown(sellers)}.`] : []),
    ...(provider ? [`${plural(provider.count, 'price')} of this provider for the same: ${shown(provider)}.`] : []),
    ...(toInput ? [`Divided by the input price: ${ratio(toInput.before)} before, ${ratio(toInput.after)} after.`] : []),
    ...witnesses.map(({ source, price, since, url }) => {
      const where = url ? `, read at ${url}` : ''
      return `${source} shows ${price}${since ? ` since ${since}` : ''}${where}.`
    }),
  ]
}

/** A price without an exponent. */
const plain = (price: number): string => parseDecimal(price) ?? String(price)
const shown = ({ least, most, median }: Range) =>
  `${plain(least)} to ${plain(most)}, half of them up to ${plain(median)}`

const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`
const ratio = (value: number | undefined) => (value === undefined ? 'unknown' : String(Number(value.toPrecision(3))))
