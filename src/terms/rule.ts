/**
 * A rule of the normal form: what it is called, what it leaves out of a comparison, a pair of texts that it makes the same, and
 * in how many of the pairs of raw pages that were measured it alone kept a change silent (docs/terms.md).
 */
export type Rule = { name: string; about: string; example: [before: string, after: string]; earned: string }

/** The names of rules that are left out, to measure them. */
export type Without = ReadonlySet<string>
export const NOTHING: Without = new Set()
