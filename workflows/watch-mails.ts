import { proxyActivities } from '@temporalio/workflow'
import type { Activities } from '../activities/index.ts'

const { sendWatchMails } = proxyActivities<Activities>({
  startToCloseTimeout: '3m',
  heartbeatTimeout: '90s',
  retry: { maximumAttempts: 2, initialInterval: '1s' },
})

/** Calls of one workflow; what is left then is sent by the one that the next check starts. */
const MOST_CALLS = 20

/**
 * Sends the mails of watches that wait: `watch-mails`. A mail server that is slow or does not answer holds up no check. Returns how
 * many were sent.
 */
export async function watchMails(): Promise<number> {
  let sent = 0
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const more = await sendWatchMails()
    if (more === 0) break
    sent += more
  }
  return sent
}
