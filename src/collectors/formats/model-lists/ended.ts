import type { Instant } from '../../../lib/instant.ts'

/** Why a model is left out that a list says ends on a day or at an instant. */
export const endedBefore = (at: Instant, ends: unknown): string | undefined =>
  typeof ends === 'string' && Date.parse(ends) <= Date.parse(at) ? 'a model that is no longer served' : undefined
