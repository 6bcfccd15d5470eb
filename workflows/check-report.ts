import type { Activities } from '../activities/index.ts'

/** What each part of a check found or did; a part that failed says why, and the parts after it ran all the same. */
export type CheckReport = {
  collected?: Result<'collectDueSources'>
  fannedOut?: Result<'fanOut'>
  repaired?: Result<'reconcile'>
  delivered?: Result<'deliverDue'>
  problems: string[]
}

type Result<Name extends keyof Activities> = Awaited<ReturnType<Activities[Name]>>

/** Adds the counts of a part that ran twice; one that failed counts for nothing. */
export function added<T extends Record<string, number>>(first: T | undefined, second: T | undefined): T | undefined {
  if (!first || !second) return first ?? second
  const sums = Object.entries(first).map(([name, count]) => [name, count + (second[name] ?? 0)])
  return Object.fromEntries(sums) as T
}
