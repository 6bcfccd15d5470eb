import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'
import type { Instant } from '../src/lib/instant.ts'

const { deleteOldLog } = proxyActivities<Activities>({ startToCloseTimeout: '1h', heartbeatTimeout: '2m' })

/** Once a day: what nobody needs any more is deleted. */
export async function retention(): Promise<{ deliveries: number; testEvents: number }> {
  return deleteOldLog({ now: new Date().toISOString() as Instant })
}
