import { availableParallelism, loadavg } from 'node:os'

/** How many tasks want a processor while one test runs alone. */
const LOAD_AT_REST = 1

/**
 * Returns how long isolated work may take now that may take so long on a machine at rest. A process for foreign bytes has
 * low priority: all other work goes first. What it computes is limited by the product, in processor time.
 */
export function allowedMs(atRestMs: number): number {
  const load = loadavg()[0]!
  return load <= LOAD_AT_REST ? atRestMs : atRestMs * Math.max(1, (4 * load) / availableParallelism())
}
