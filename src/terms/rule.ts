/**
 * A rule of the normal form: what it is called, what it leaves out of a comparison, a change of {@link BASE} that it keeps silent, and
 * in how many of the pairs of raw pages that were measured it alone kept a change silent.
 */
export type Rule = { name: string; about: string; example: (text: string) => string; earned: string }

/** The names of rules that are left out, to measure them. */
export type Without = ReadonlySet<string>
export const NOTHING: Without = new Set()

/** The rules that are not left out. */
export const applied = <R extends Rule>(rules: readonly R[], without: Without): R[] =>
  rules.filter(({ name }) => !without.has(name))

const CLAUSE = 'You may use the services for your own business, as these terms say.'
const OTHER = 'We may change these terms, and notify you 30 days before a change takes effect.'

/** The document of which the examples of rules are changes. */
export const BASE = [
  '# Terms of Use',
  `A.1. ${CLAUSE}`,
  `A.2. ${OTHER}`,
  '## How we end it',
  'The agreement ends on 3 March 2025.',
  'Either party may end it in writing.',
  'Write to the data protection officer at',
  '[How to begin](/a)',
  '[How to end](/b)',
].join('\n\n')

/** What another document of the same site begins with. */
export const HUB = '# Legal Hub of Example\n\nWe describe our cookies in more detail in another document.'

/** The clauses of {@link BASE} in another order. */
export const reordered = (text: string): string =>
  text.replace(/(The agreement ends on [^.]+\.)(\n\n)(Either party [^.]+\.)/g, '$3$2$1')
