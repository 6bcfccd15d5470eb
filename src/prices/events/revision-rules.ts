import { type Money, REVISABLE } from '../schema.ts'

/** Returns the fields that were revised while the price stayed the same: those that differ, appeared or are gone. */
export const revisedFields = (before: Money, after: Money): (typeof REVISABLE)[number][] =>
  REVISABLE.filter((field) => before[field] !== after[field])
