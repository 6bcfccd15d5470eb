import { lookUp } from '../../lib/collections.ts'
import type { Quarantine } from '../plan/difference/batch-rules.ts'
import { HOLDS, type HoldReason } from '../plan/holds/index.ts'
import type { AbsenceToReview } from '../plan/schema.ts'

/** Every code that says why an item about prices waits. */
export type ReasonCode = HoldReason | AbsenceToReview['reason'] | Quarantine['reason']

/** A reason in words: a name of a few words, and a sentence that explains it. */
export type ReasonText = { name: string; meaning: string }

const OF_HOLDS = Object.fromEntries(HOLDS.map(({ code, name, meaning }) => [code, { name, meaning }])) as Record<
  HoldReason,
  ReasonText
>

/** The words for every reason. Those of a hold are beside its rule. docs/prices.md says when each of them applies. */
export const REASON_TEXTS: Record<ReasonCode, ReasonText> = {
  ...OF_HOLDS,
  possible_rename: {
    name: 'possible renaming',
    meaning: 'One name disappeared, and another that looks like the same resource is listed.',
  },
  mass_disappearance: {
    name: 'many missing at once',
    meaning: 'Many resources of the provider are missing from the source at once.',
  },
  whole_provider_missing: {
    name: 'whole provider missing',
    meaning: 'Every resource of the provider is missing from the source.',
  },
  missing_everywhere: {
    name: 'missing at several providers',
    meaning: 'The same resource is missing at three or more providers at once, which is usually a fault of the source.',
  },
  lines_missing_everywhere: {
    name: 'same prices missing',
    meaning: 'Many resources of the provider lost prices at once, which is usually a fault of the source.',
  },
  unreadable_price: {
    name: 'unreadable',
    meaning: 'The source lists something in place of a price that cannot be read as one.',
  },
  no_prices: { name: 'no prices', meaning: 'The snapshot has no usable price.' },
  collapsed: { name: 'less than half', meaning: 'The snapshot has less than half of the prices of the last good one.' },
  unit_flipped: {
    name: 'unit changed',
    meaning: 'More than 30 % of the prices in the snapshot differ from the published ones by a power of ten.',
  },
  served_again: {
    name: 'old list served again',
    meaning: 'The source serves a price list again that it served before.',
  },
}

/** Returns a reason in words. The reasons of documents are words already. */
export const reasonText = (code: string): ReasonText =>
  lookUp(REASON_TEXTS, code) ?? { name: code, meaning: sentence(code) }

/** Returns reasons as a short list: `power of ten, implausible`. */
export const reasonNames = (codes: string[]): string => codes.map((code) => reasonText(code).name).join(', ')

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
