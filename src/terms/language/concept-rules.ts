type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pt' | 'pl'

/** How documents say one thing: alternatives of a regular expression, by language. */
export type Concept = Partial<Record<Language, string>>

const alternatives = (concepts: Concept[]): string => concepts.flatMap((concept) => Object.values(concept)).join('|')

/** Matches a word that is one of the alternatives, in any case. */
export const wordPattern = (...concepts: Concept[]): RegExp => new RegExp(`^(?:${alternatives(concepts)})$`, 'iu')

/** Matches a text that says one of the alternatives, in any case. */
export const phrasePattern = (...concepts: Concept[]): RegExp => new RegExp(alternatives(concepts), 'iu')
