import type { Instant } from '../../lib/instant.ts'

/** What is known of a resource beside its prices: tokens of a request and of an answer, and its day of release. */
export const FACTS = ['context', 'output', 'released'] as const
export type Fact = (typeof FACTS)[number]

/** A fact as a source states it. */
export type StatedFact = { provider: string; resource: string; fact: Fact; value: string }

/** A fact as readers see it, with the source whose word it is. */
export type ShownFact = StatedFact & { source: string; statedSince: Instant }
