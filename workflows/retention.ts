import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { RetentionReport } from '../activities/retention.ts'
import type { Instant } from '../src/lib/instant.ts'

const { deleteOld } = proxyActivities<Activities>({ startToCloseTimeout: '1h', heartbeatTimeout: '2m' })

/** Once a day: what nobody needs any more is deleted. */
export async function retention(): Promise<RetentionReport> {
  return deleteOld({ now: new Date().toISOString() as Instant })
}
