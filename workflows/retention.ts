import { patched, proxyActivities } from '@temporalio/workflow'
import type { AccuracyReport } from '../activities/accuracy.ts'
import type { Activities } from '../activities/index.ts'
import type { RetentionReport } from '../activities/retention.ts'
import type { Instant } from '../src/lib/instant.ts'

const { deleteOld } = proxyActivities<Activities>({ startToCloseTimeout: '1h', heartbeatTimeout: '2m' })
/** Tomorrow is another day: the next run must not wait for one that cannot measure. */
const { measureAccuracy } = proxyActivities<Activities>({
  startToCloseTimeout: '10m',
  retry: { maximumAttempts: 3 },
})

/** Once a day: what no one needs any more is deleted, and what is served is compared with its sources. */
export async function retention(): Promise<RetentionReport & { accuracy?: AccuracyReport }> {
  const now = new Date().toISOString() as Instant
  const deleted = await deleteOld({ now })
  if (!patched('measure-accuracy')) return deleted
  return { ...deleted, accuracy: await measureAccuracy({ now }) }
}
