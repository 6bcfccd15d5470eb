import { expect, it } from 'vitest'
import { chaos } from '../../bench/faults/chaos.ts'
import { temporalBinary } from '../../src/embedded/temporal/find-binary.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { lacks } from '../support/suite/needs.ts'

/** The short form of bench/faults, which breaks parts at random for a given time. */
it.skipIf(lacks('Linux'))(
  'agrees with the receiver to the last delivery, though worker, API, PostgreSQL, Temporal and its store were killed (needs Linux)',
  async () => {
    const settings = { binary: process.env.PRICETAPE_TEMPORAL_BINARY, cacheDir: process.env.PRICETAPE_CACHE_DIR }
    const agreement = await chaos({
      temporalBinary: await temporalBinary(settings, silent),
      entry: 'src/main.js',
      seconds: 20,
      webhooks: 4,
      plan: ['worker', 'api', 'postgres', 'store'],
    })
    expect(agreement.disagreements).toEqual([])
    expect(Object.keys(agreement.faults).sort()).toEqual(['api', 'postgres', 'store', 'worker'])
    expect(agreement.reads).toBeGreaterThan(0)
    expect(agreement.deliveries).toBeGreaterThanOrEqual(20)
    expect(agreement.requests).toBeGreaterThanOrEqual(agreement.deliveries)
  },
  300_000,
)
