import type { Unit } from '../../src/terms/normalize/units-rules.ts'

/** A sentence as it is compared, named after its text. */
export const unit = (text: string): Unit => ({
  id: `id of ${text}`,
  key: text.toLowerCase(),
  text,
  words: text.split(' ').length,
})
/** Sentences of one letter. */
export const letters = (text: string): Unit[] => [...text].map(unit)
