/**
 * A rule of the normal form: what it is called, what it leaves out of a comparison, a pair of texts that it makes the same, and
 * in how many of the pairs of raw pages that were measured it alone kept a change silent (docs/terms.md).
 */
export type Rule = { name: string; about: string; example: [before: string, after: string]; earned: string }

/** The names of rules that are left out, to measure them. */
export type Without = ReadonlySet<string>
export const NOTHING: Without = new Set()

/** The rules that are not left out. */
export const applied = <R extends Rule>(rules: readonly R[], without: Without): R[] =>
  rules.filter(({ name }) => !without.has(name))

/** Two clauses of which the examples are made. */
export const CLAUSE = 'You may use the services for your own business, as these terms say.'
export const OTHER = 'We may change these terms, and notify you 30 days before a change takes effect.'
