import type { Context } from '../src/context.ts'
import type { Instant } from '../src/lib/instant.ts'
import { measureServed } from '../src/prices/accuracy/measure-served.ts'

/** How many prices were measured, and how many of them are contradicted. */
export type AccuracyReport = { day: string; served: number; contradicted: number }

/** The daily measure. */
export function accuracyActivities({ sql }: Context) {
  return {
    /** Compares what is served with every source and witness, and records it for the day. */
    async measureAccuracy({ now }: { now: Instant }): Promise<AccuracyReport> {
      const { day, served, contradicted } = await measureServed(sql, now)
      return { day, served, contradicted }
    },
  }
}
