import { parseDecimal } from '../lib/decimal.ts'
import type { Instant } from '../lib/instant.ts'
import { plural } from '../lib/text/plural.ts'
import { readablePrice, readableUnit } from '../lib/text/price-text.ts'
import type { Evidence, Range } from '../prices/plan/evidence/evidence-schema.ts'
import type { ReviewedRow } from '../prices/review/list-reviews.ts'
import { reasonText } from '../prices/review/reason-text-rules.ts'
import { minuteText } from '../prices/review/review-text-rules.ts'

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

/** What is known about a held price, a sentence each. */
export type EvidenceText = {
  /** Why it is held. */
  reasons: string[]
  /** What speaks for it and against it. */
  facts: string[]
  /** How long its source has listed it. */
  listed?: string
}

/** Returns what is known about a held price in words; prices are in the unit that people read. */
export function describeEvidence({ reasons, evidence, wait }: Verdict, unit: string): EvidenceText {
  return {
    reasons: reasons.map((reason) => reasonText(reason).meaning),
    facts: evidence
      ? factsOf(evidence, (price) => readablePrice(parseDecimal(price) ?? String(price), unit), unit)
      : [],
    ...(wait && {
      listed: `Listed in ${plural(wait.fetches, 'good fetch', 'good fetches')} since ${minuteText(wait.since)}.`,
    }),
  }
}

type Verdict = NonNullable<ReviewedRow['verdict']>

function factsOf(evidence: Evidence, shown: (price: string | number) => string, unit: string): string[] {
  const {
    before,
    after,
    fitBefore,
    fitAfter,
    misfit,
    limits,
    sellers,
    provider,
    toInput,
    shares,
    sameShareAs,
    priceOfMost,
    isMaker,
    witnesses = [],
  } = evidence
  const fits = sameShareAs === undefined ? FIT[fitAfter] : `has the same share of its input price as ${sameShareAs}`
  const range = ({ least, most, median }: Range) =>
    least === most ? shown(least) : `${shown(least)} to ${shown(most)}, half of them up to ${shown(median)}`
  return [
    ...(before !== undefined && fitBefore ? [`The published price ${shown(before)} ${FIT[fitBefore]}.`] : []),
    `The proposed price ${shown(after)} ${fits}${misfit ? `: ${MISFIT[misfit]}` : ''}.`,
    ...(misfit === 'limits' && limits
      ? [`The limits are ${shown(limits.least)} to ${shown(limits.most)} ${readableUnit(unit)}.`]
      : []),
    ...(sellers ? [`${plural(sellers.count, 'other seller')}: ${range(sellers)}.`] : []),
    ...(priceOfMost ? ['Several of them charge the proposed price already, and most list it now.'] : []),
    ...(isMaker ? ['Other sellers name this provider as the maker of the model.'] : []),
    ...(provider ? [`${plural(provider.count, 'price')} of this provider for the same: ${range(provider)}.`] : []),
    ...(toInput ? [ratioText(toInput)] : []),
    ...(shares ? [sharesText(shares)] : []),
    ...witnesses.map(({ source, price, since, url }) => {
      const where = url ? `, read at ${url}` : ''
      return `${source} shows ${shown(price)}${since ? ` since ${minuteText(since as Instant)}` : ''}${where}.`
    }),
  ]
}

/** How many times the input price it costs. */
function ratioText({ before, after }: NonNullable<Evidence['toInput']>): string {
  const [was, is] = [before, after].map((value) => value && timesInput(rounded(value)))
  if (is === undefined) return `The published price is ${was}.`
  if (was === undefined) return `The proposed price is ${is}.`
  return `The proposed price is ${is}${was === is ? ', as before' : `; the published one is ${was}`}.`
}

/** How many times their input prices other resources cost. */
function sharesText({ count, least, most }: Range): string {
  const [from, to] = [rounded(least), rounded(most)]
  const others = plural(count, 'other resource of this provider costs', 'other resources of this provider cost')
  return `${others} ${from === to ? '' : `${from} to `}${to} times the input price.`
}

const rounded = (ratio: number): string => String(Number(ratio.toPrecision(3)))

const timesInput = (ratio: string): string => (ratio === '1' ? 'the input price' : `${ratio} times the input price`)
