import { Context as Activity } from '@temporalio/activity'
import { deleteExpired } from '../src/accounts/delete-expired.ts'
import { deleteFullBuckets } from '../src/accounts/limits/delete-full-buckets.ts'
import { deleteOldFetches, deleteUnusedSnapshots } from '../src/catalog/snapshots/delete-old-snapshots.ts'
import type { Context } from '../src/context.ts'
import type { Instant } from '../src/lib/instant.ts'
import { deleteOldCheckRuns } from '../src/monitoring/delete-old-check-runs.ts'
import { deleteOldLinks } from '../src/watches/delete-old-links.ts'
import { deleteOldDeliveries } from '../src/webhooks/retention/delete-old-deliveries.ts'
import { deleteOldEvents } from '../src/webhooks/retention/delete-old-events.ts'
import { deleteOldVersions } from '../src/webhooks/retention/delete-old-versions.ts'

const BATCH = 1_000
const SNAPSHOTS_AT_ONCE = 50
/** The filters of one version may have megabytes. */
const VERSIONS_AT_ONCE = 50

/** How many of each were deleted. */
export type RetentionReport = {
  deliveries: number
  events: number
  webhookVersions: number
  fetches: number
  snapshots: number
  checkRuns: number
  rateBuckets: number
  /** Sessions, links, invitations and counts of failed sign-ins. */
  accounts: number
  /** Links in mails about watches. */
  unsubscribeLinks: number
}

/** What the daily retention run deletes. */
export function retentionActivities({ sql }: Context) {
  return {
    /** Deletes what the log no longer keeps, then what only that needed. */
    async deleteOld({ now }: { now: Instant }): Promise<RetentionReport> {
      const deliveries = await inBatches(BATCH, (limit) => deleteOldDeliveries(sql, now, limit))
      const events = await inBatches(BATCH, (limit) => deleteOldEvents(sql, now, limit))
      const webhookVersions = await inBatches(VERSIONS_AT_ONCE, (limit) => deleteOldVersions(sql, limit))
      const fetches = await inBatches(BATCH, (limit) => deleteOldFetches(sql, now, limit))
      const snapshots = await inBatches(SNAPSHOTS_AT_ONCE, (limit) => deleteUnusedSnapshots(sql, now, limit))
      const checkRuns = await inBatches(BATCH, (limit) => deleteOldCheckRuns(sql, now, limit))
      const rateBuckets = await inBatches(BATCH, (limit) => deleteFullBuckets(sql, limit))
      const accounts = await deleteExpired(sql)
      const unsubscribeLinks = await inBatches(BATCH, (limit) => deleteOldLinks(sql, limit))
      return {
        deliveries,
        events,
        webhookVersions,
        fetches,
        snapshots,
        checkRuns,
        rateBuckets,
        accounts,
        unsubscribeLinks,
      }
    },
  }
}

/** Many short transactions instead of one long one: nothing else has to wait for them. */
async function inBatches(size: number, work: (limit: number) => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    const done = await work(size)
    total += done
    Activity.current().heartbeat(total)
    if (done < size) return total
  }
}
